package split

import (
	"bytes"
	"strconv"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// chat is the format of chat completion chunks, as server-sent events.
type chat struct {
	events
	reasoning string
}

// The members of a response that say which one it is.
var chatOrigin = []string{"id", "object", "created", "model", "system_fingerprint", "service_tier"}

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
		return m
	}
	seen := map[int]bool{}
	for at, one := range choices.Array() {
		part, ok := chatPart(at, one)
		if !ok || seen[part.choice] {
			return &message{event: event, unreadable: true}
		}
		seen[part.choice] = true
		m.parts = append(m.parts, part)
	}
	return m
}

func chatPart(at int, choice gjson.Result) (part, bool) {
	index, delta := choice.Get("index"), choice.Get("delta")
	text := delta.Get("content")
	if !choice.IsObject() || text.Type != gjson.Null && text.Type != gjson.String {
		return part{}, false
	}
	p := part{
		choice: at, at: at, text: text.Str, structured: isStructured(delta), thinking: thinkingOf(delta),
		reason: choice.Get("finish_reason").String(),
	}
	if index.Exists() {
		p.choice = int(index.Int())
	}
	p.ended = p.reason != ""
	return p, true
}

// isStructured says whether the upstream has split this message, or piece of one, itself.
func isStructured(message gjson.Result) bool {
	for _, name := range []string{"tool_calls", "function_call", "reasoning_content", "reasoning"} {
		if saysSomething(message.Get(name)) {
			return true
		}
	}
	return false
}

func thinkingOf(message gjson.Result) string {
	if text := message.Get("reasoning_content"); text.Type == gjson.String {
		return text.Str
	}
	if text := message.Get("reasoning"); text.Type == gjson.String {
		return text.Str
	}
	return ""
}

// write: all pieces but the last go out in events of their own; the last one, the finish reason and whatever else is in
// the event stay together, unless nothing is left of it.
func (c *chat) write(out []byte, m *message, fates []fate) []byte {
	data := m.data
	empty := only(gjson.Parse(data), append(chatOrigin, "choices")...)
	for i, fate := range fates {
		if fate.untouched {
			empty = false
			continue
		}
		p := &m.parts[i]
		choice := gjson.Get(m.data, "choices."+strconv.Itoa(p.at))
		delta := members(choice.Get("delta"), "content")
		for len(fate.pieces) > 1 {
			role := pick(choice.Get("delta"), "role")
			out = c.event(out, m, p.choice, append(role, c.say(m, p.choice, &fate.pieces[0])))
			fate.pieces = fate.pieces[1:]
			delta = members(choice.Get("delta"), "content", "role")
			choice = gjson.Parse(object(append(members(choice, "delta"), member{"delta", object(delta)})))
		}
		if len(fate.pieces) == 1 {
			delta = append(delta, c.say(m, p.choice, &fate.pieces[0]))
		}
		empty = empty && len(delta) == 0 && fate.reason == "" && only(choice, "index", "delta")
		data, _ = sjson.SetRaw(data, "choices."+strconv.Itoa(p.at)+".delta", object(delta))
		if fate.reason != "" {
			data, _ = sjson.Set(data, "choices."+strconv.Itoa(p.at)+".finish_reason", fate.reason)
		}
	}
	if empty {
		return out
	}
	return replaceData(out, m.event, data)
}

func (c *chat) insert(out []byte, m *message, choice int, piece *piece) []byte {
	return c.event(out, m, choice, []member{c.say(m, choice, piece)})
}

// event writes one of the same response that has only this delta.
func (c *chat) event(out []byte, m *message, choice int, delta []member) []byte {
	one := object([]member{{"index", strconv.Itoa(choice)}, {"delta", object(delta)}, {"finish_reason", "null"}})
	origin := pick(gjson.Parse(m.data), chatOrigin...)
	return insertData(out, object(append(origin, member{"choices", "[" + one + "]"})))
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
		id := callID(source(m.data), choice, piece.index)
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
