package split

import (
	"bytes"
	"strconv"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// A said is what the pieces of a whole message come to.
type said struct {
	content, reasoning []byte
	calls              []piece
	reason             string
}

func join(f fate) said {
	all := said{reason: f.reason}
	for _, piece := range f.pieces {
		switch piece.kind {
		case content:
			all.content = append(all.content, piece.text...)
		case reasoning:
			all.reasoning = append(all.reasoning, piece.text...)
		case call:
			// A message that is whole has its calls in whole pieces, unless text came between them.
			if piece.name == "" && len(all.calls) > 0 {
				last := &all.calls[len(all.calls)-1]
				last.text = append(last.text, piece.text...)
				continue
			}
			all.calls = append(all.calls, piece)
		}
	}
	return all
}

// splitWhole splits the text of one choice. false: it stays as it is.
func splitWhole(p *part, settings *Settings, whole bool, found *Summary) (said, bool) {
	c, err := newChoice(p.choice, settings, whole)
	if err != nil {
		return said{}, false
	}
	defer c.close()
	if p.structured {
		c.giveUp()
	}
	c.push(p.text)
	c.end()
	f := c.decide(p)
	c.leaks.say(reasoning, p.thinking)
	summary := c.summary()
	found.add(&summary)
	return join(f), !f.untouched
}

// ChatBody splits a chat completion that is not streamed, and says what it found. What it does not understand comes back
// as it is.
func ChatBody(body []byte, settings Settings) ([]byte, Summary) {
	var found Summary
	if !gjson.ValidBytes(body) || !gjson.GetBytes(body, "choices").IsArray() {
		found.Unreadable++
		return body, found
	}
	for at, choice := range gjson.GetBytes(body, "choices").Array() {
		if at >= settings.MaxChoices {
			found.limit("choices")
			break
		}
		body = chatChoice(body, at, choice, &settings, &found)
	}
	return body, found
}

func chatChoice(body []byte, at int, choice gjson.Result, settings *Settings, found *Summary) []byte {
	message := choice.Get("message")
	index, ok := choiceIndex(at, choice.Get("index"))
	p := part{choice: index, reason: choice.Get("finish_reason").String()}
	if !ok || !message.IsObject() || !p.hear(message) {
		found.Unreadable++
		return body
	}
	all, ok := splitWhole(&p, settings, false, found)
	if !ok {
		return body
	}
	path := "choices." + strconv.Itoa(at)
	rest := object(all.chatMessage(members(message), string(body), p.choice, settings.Reasoning))
	body, _ = sjson.SetRawBytes(body, path+".message", []byte(rest))
	if all.reason != "" {
		body, _ = sjson.SetBytes(body, path+".finish_reason", all.reason)
	}
	return body
}

func (s *said) chatMessage(message []member, body string, choice int, field string) []member {
	value := quote(s.content)
	if len(s.content) == 0 && len(s.calls) > 0 {
		value = "null" // as OpenAI's own API has it where there are calls only
	}
	message = set(message, member{"content", value})
	if len(s.reasoning) > 0 {
		message = set(message, member{field, quote(s.reasoning)})
	}
	if len(s.calls) == 0 {
		return message
	}
	source := source(body)
	return set(message, member{"tool_calls", list(s.calls, func(call *piece) string {
		id := callID(source, choice, call.index)
		function := object([]member{{"name", quote(call.name)}, {"arguments", quote(call.text)}})
		return object([]member{{"id", quote(id)}, {"type", `"function"`}, {"function", function}})
	})})
}

// OllamaBody is ChatBody for Ollama's /api/chat.
func OllamaBody(body []byte, settings Settings) ([]byte, Summary) {
	var found Summary
	m := (&ollama{}).read(body)
	if m.unreadable || len(m.parts) == 0 {
		found.Unreadable++
		return body, found
	}
	all, ok := splitWhole(&m.parts[0], &settings, true, &found)
	if !ok {
		return body, found
	}
	message := set(members(gjson.Get(m.data, "message")), member{"content", quote(all.content)})
	if len(all.reasoning) > 0 {
		message = set(message, member{"thinking", quote(all.reasoning)})
	}
	if len(all.calls) > 0 {
		message = set(message, member{"tool_calls", list(all.calls, ollamaCall)})
	}
	data, _ := sjson.SetRaw(m.data, "message", object(message))
	return append([]byte(data), body[len(bytes.TrimRight(body, " \r\n\t")):]...), found
}

func list(calls []piece, write func(*piece) string) string {
	out := []byte{'['}
	for i := range calls {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, write(&calls[i])...)
	}
	return string(append(out, ']'))
}
