package split

import (
	"strings"
	"testing"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// BenchmarkEvent is what an event of four bytes of text costs; an operation is an event.
func BenchmarkEvent(b *testing.B) {
	text := "<|channel|>analysis<|message|>" + strings.Repeat("It rains in Oslo. ", 2000)
	for name, response := range map[string]struct {
		filter func(Settings) *Filter
		events []string
	}{
		"chat":   {NewChat, fake.ChatEvents("chatcmpl-1", fake.Pieces(text, 4), "stop")},
		"plain":  {NewChat, fake.ChatEvents("chatcmpl-1", fake.Pieces(text[30:], 4), "stop")},
		"ollama": {NewOllama, fake.OllamaLines(fake.Pieces(text, 4))},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			filter := response.filter(Defaults())
			var out []byte
			at := 0
			for b.Loop() {
				if at == len(response.events)-3 {
					filter.Close()
					filter, at = response.filter(Defaults()), 0
				}
				out = filter.Push(out[:0], []byte(response.events[at]))
				at++
			}
			filter.Close()
		})
	}
}
