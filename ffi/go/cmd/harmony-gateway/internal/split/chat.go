package split

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// chat is the format of chat completion chunks, as server-sent events.
type chat struct {
	events
	reasoning string
}

// The members of a response that say which one it is.
var chatOrigin = []string{"id", "object", "created", "model", "system_fingerprint", "service_tier"}

var chatMembers = append([]string{"choices"}, chatOrigin...)

func (c *chat) whole() bool { return false }

func (c *chat) read(event []byte) *message {
	m := &message{event: event}
	data, ok := eventData(event)
	if !ok {
		m.passes = true
		return m
	}
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		m.done = true
		return m
	}
	if !gjson.ValidBytes(data) {
		m.unreadable = true
		return m
	}
	m.data = string(data)
	choices := gjson.Get(m.data, "choices")
	if !choices.IsArray() {
		// Clients read no further than an error.
		m.done = saysSomething(gjson.Get(m.data, "error"))
		return m
	}
	ok = true
	seen := map[int]bool{}
	choices.ForEach(func(_, one gjson.Result) bool {
		p := chatPart(len(m.parts), one)
		ok = p != nil && !seen[p.choice]
		if ok {
			seen[p.choice] = true
			m.parts = append(m.parts, *p)
		}
		return ok
	})
	if !ok {
		return &message{event: event, unreadable: true}
	}
	return m
}

// chatPart reads a choice. nil: it is none.
func chatPart(at int, choice gjson.Result) *part {
	if !choice.IsObject() {
		return nil
	}
	p := &part{choice: at}
	ok := true
	choice.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "index":
			p.choice, ok = choiceIndex(at, value)
		case "delta":
			p.delta = value
			ok = p.hear(value)
		case "finish_reason":
			p.reasonAt = edit{at: value.Index, end: value.Index + len(value.Raw)}
			p.reason = value.String()
			p.ended = p.reason != ""
		}
		return ok
	})
	p.raw = choice
	if !ok {
		return nil
	}
	return p
}

// choiceIndex is the number of a choice: its place, unless it has one. false: what it has is none.
func choiceIndex(place int, index gjson.Result) (int, bool) {
	if index.Type == gjson.Null {
		return place, true
	}
	// Digits and nothing else, as all servers write it.
	number, err := strconv.ParseUint(index.Raw, 10, strconv.IntSize-1)
	return int(number), err == nil
}

// hear takes what a message, or piece of one, says. false: its text is none.
func (p *part) hear(message gjson.Result) bool {
	ok := true
	message.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "content":
			ok = value.Type == gjson.String || value.Type == gjson.Null
			p.text = value.Str
		case "reasoning_content", "reasoning", "thinking":
			p.thinking = value.Str
			p.structured = p.structured || saysSomething(value)
		case "tool_calls", "function_call":
			p.structured = p.structured || saysSomething(value)
		}
		return ok
	})
	return ok
}

// write: all pieces but the last go out in events of their own; the last one, the finish reason and whatever else is in
// the event stay together, unless nothing is left of it.
func (c *chat) write(out []byte, m *message, fates []fate) []byte {
	var edits []edit
	empty := true
	for i, fate := range fates {
		p := &m.parts[i]
		if fate.untouched {
			empty = false
			continue
		}
		delta := members(p.delta, "content")
		if len(fate.pieces) > 1 {
			first := append(pick(delta, "role"), c.say(m, p.choice, &fate.pieces[0]))
			out = c.event(out, m, p.choice, first)
			fate.pieces, delta = fate.pieces[1:], without(delta, "role")
		}
		for len(fate.pieces) > 1 {
			out = c.insert(out, m, p.choice, &fate.pieces[0])
			fate.pieces = fate.pieces[1:]
		}
		if len(fate.pieces) == 1 {
			delta = append(delta, c.say(m, p.choice, &fate.pieces[0]))
		}
		empty = empty && len(delta) == 0 && fate.reason == "" && only(p.raw, "index", "delta")
		edits = append(edits, p.edits(object(delta), fate.reason)...)
	}
	if empty && only(gjson.Parse(m.data), chatMembers...) {
		return out
	}
	return replaceData(out, m.event, edited(m.data, edits))
}

// edits give a choice another delta, and another finish reason unless that is empty.
func (p *part) edits(delta, reason string) []edit {
	if !p.delta.Exists() {
		rest := append(members(p.raw), member{"delta", delta})
		if reason != "" {
			rest = set(rest, member{"finish_reason", quote(reason)})
		}
		return []edit{{p.raw.Index, p.raw.Index + len(p.raw.Raw), object(rest)}}
	}
	all := []edit{{p.delta.Index, p.delta.Index + len(p.delta.Raw), delta}}
	if reason != "" {
		all = append(all, edit{p.reasonAt.at, p.reasonAt.end, quote(reason)})
	}
	return all
}

func (c *chat) insert(out []byte, m *message, choice int, piece *piece) []byte {
	return c.event(out, m, choice, []member{c.say(m, choice, piece)})
}

// event writes one of the same response that has only this delta.
func (c *chat) event(out []byte, m *message, choice int, delta []member) []byte {
	one := object([]member{{"index", strconv.Itoa(choice)}, {"delta", object(delta)}, {"finish_reason", "null"}})
	return insertData(out, object(append(c.origin(m).members, member{"choices", "[" + one + "]"})))
}

func (c *chat) origin(m *message) *origin {
	if m.origin == nil {
		which := pick(members(gjson.Parse(m.data)), chatOrigin...)
		m.origin = &origin{members: slices.Clip(which), source: source(m.data)}
	}
	return m.origin
}

// say is the member of a delta that says a piece.
func (c *chat) say(m *message, choice int, piece *piece) member {
	switch piece.kind {
	case content:
		return member{"content", quote(piece.text)}
	case reasoning:
		return member{c.reasoning, quote(piece.text)}
	}
	var one []member
	function := []member{{"arguments", quote(piece.text)}}
	if piece.name != "" {
		id := callID(c.origin(m).source, choice, piece.index)
		one = []member{{"id", quote(id)}, {"type", `"function"`}}
		function = append([]member{{"name", quote(piece.name)}}, function...)
	}
	one = append([]member{{"index", strconv.Itoa(piece.index)}}, append(one, member{"function", object(function)})...)
	return member{"tool_calls", "[" + object(one) + "]"}
}

// source is what tells one response from another, for the ids of calls.
func source(data string) string {
	return gjson.Get(data, "id").Raw + "\n" + gjson.Get(data, "created").Raw
}
