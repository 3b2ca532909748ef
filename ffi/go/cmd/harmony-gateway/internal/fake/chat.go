package fake

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ChatEvents are the events of a chat completion stream that leaks the pieces of a text, with the upstream's reason.
func ChatEvents(id string, pieces []string, reason string) []string {
	head := fmt.Sprintf(`"id":%q,"object":"chat.completion.chunk","created":1754000000,"model":"gpt-oss-20b"`, id)
	all := []string{fmt.Sprintf(`{%s,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`, head)}
	for _, piece := range pieces {
		all = append(all, fmt.Sprintf(`{%s,"choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`, head, quote(piece)))
	}
	all = append(all,
		fmt.Sprintf(`{%s,"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, head, reason),
		fmt.Sprintf(`{%s,"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":%d}}`, head, len(pieces)),
		"[DONE]")
	for i := range all {
		all[i] = "data: " + all[i] + "\n\n"
	}
	return all
}

// ChatBody is the same as one body.
func ChatBody(id, text, reason string) string {
	return fmt.Sprintf(`{"id":%q,"object":"chat.completion","created":1754000000,"model":"gpt-oss-20b","choices":[{"index":0,`+
		`"message":{"role":"assistant","content":%s,"refusal":null},"logprobs":null,"finish_reason":%q}],`+
		`"usage":{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}}`, id, quote(text), reason)
}

// OllamaLines are the lines of Ollama's stream.
func OllamaLines(pieces []string) []string {
	const head = `"model":"gpt-oss:20b","created_at":"2026-01-01T00:00:00Z"`
	var all []string
	for _, piece := range pieces {
		all = append(all, fmt.Sprintf(`{%s,"message":{"role":"assistant","content":%s},"done":false}`+"\n", head, quote(piece)))
	}
	return append(all, fmt.Sprintf(`{%s,"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","eval_count":%d}`+"\n", head, len(pieces)))
}

// OllamaBody is the same as one body.
func OllamaBody(text string) string {
	return fmt.Sprintf(`{"model":"gpt-oss:20b","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":%s},`+
		`"done":true,"done_reason":"stop","eval_count":7}`, quote(text))
}

func quote(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a string is always JSON
	}
	return strings.TrimSuffix(out.String(), "\n")
}
