package split

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// ollama is the format of Ollama's /api/chat: one JSON object a line.
type ollama struct {
	looked int
}

var ollamaOrigin = []string{"model", "created_at", "remote_model", "remote_host"}

var ollamaMembers = append([]string{"message", "done"}, ollamaOrigin...)

func (o *ollama) whole() bool { return true }

func (o *ollama) next(text []byte) int {
	at := bytes.IndexByte(text[o.looked:], '\n')
	if at < 0 {
		o.looked = len(text)
		return 0
	}
	end := o.looked + at + 1
	o.looked = 0
	return end
}

func (o *ollama) read(line []byte) *message {
	m := &message{event: line}
	data := bytes.TrimSpace(line)
	if len(data) == 0 {
		m.passes = true
		return m
	}
	if !gjson.ValidBytes(data) {
		m.unreadable = true
		return m
	}
	m.data = string(data)
	p := part{}
	said, failed, ok := false, false, true
	gjson.Parse(m.data).ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "message":
			said, p.delta = value.IsObject(), value
			ok = p.hear(value)
		case "done":
			p.ended = value.Type == gjson.True
		case "error":
			failed = saysSomething(value)
		}
		return ok
	})
	if !ok {
		return &message{event: line, unreadable: true}
	}
	if said {
		m.parts = []part{p}
	}
	// Clients read no further than the last line, whether it has a message or not, or than an error.
	m.done = !said && (p.ended || failed)
	return m
}

// write: all pieces but the last go out in lines of their own; the last one stays with what else is in the line, unless
// nothing is left of it.
func (o *ollama) write(out []byte, m *message, fates []fate) []byte {
	pieces := fates[0].pieces
	for len(pieces) > 1 {
		out = o.insert(out, m, 0, &pieces[0])
		pieces = pieces[1:]
	}
	line, said := gjson.Parse(m.data), m.parts[0].delta
	if len(pieces) == 0 && !m.parts[0].ended && only(said, "role", "content") &&
		only(line, ollamaMembers...) {
		return out
	}
	rest := set(members(said), member{"content", `""`})
	if len(pieces) == 1 {
		rest = set(rest, ollamaSay(&pieces[0]))
	}
	data := edited(m.data, []edit{{said.Index, said.Index + len(said.Raw), object(rest)}})
	return append(append(out, data...), m.event[len(bytes.TrimRight(m.event, "\r\n")):]...)
}

func (o *ollama) insert(out []byte, m *message, _ int, piece *piece) []byte {
	origin := o.origin(m)
	said := append(origin.role, member{"content", `""`})
	line := append(origin.members, member{"message", object(set(said, ollamaSay(piece)))}, member{"done", "false"})
	return append(append(out, object(line)...), '\n')
}

func (o *ollama) origin(m *message) *origin {
	if m.origin == nil {
		which := pick(members(gjson.Parse(m.data)), ollamaOrigin...)
		role := pick(members(gjson.Get(m.data, "message")), "role")
		m.origin = &origin{members: slices.Clip(which), role: slices.Clip(role)}
	}
	return m.origin
}

// ollamaSay is the member of a message that says a piece.
func ollamaSay(piece *piece) member {
	switch piece.kind {
	case content:
		return member{"content", quote(piece.text)}
	case reasoning:
		return member{"thinking", quote(piece.text)}
	}
	return member{"tool_calls", "[" + ollamaCall(piece) + "]"}
}

// ollamaCall: the arguments are an object, as the model wrote it, on one line.
func ollamaCall(piece *piece) string {
	return object([]member{{"function", object([]member{
		{"index", strconv.Itoa(piece.index)}, {"name", quote(piece.name)}, {"arguments", oneLine(string(piece.text))},
	})}})
}

// set gives a member another value, or adds it.
func set(members []member, one member) []member {
	for i := range members {
		if members[i].name == one.name {
			members[i].value = one.value
			return members
		}
	}
	return append(members, one)
}
