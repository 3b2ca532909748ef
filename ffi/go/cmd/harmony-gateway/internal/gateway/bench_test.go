package gateway

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// An operation is a token of four bytes, from an upstream to a client in this process, as fast as it goes: directly, and
// through the gateway. The difference is what the gateway costs.

func BenchmarkToken(b *testing.B) {
	const tokens = 2000
	text := "<|channel|>analysis<|message|>" + strings.Repeat("It rains in Oslo. ", tokens*4/18)
	events := streamOf(text, 4)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fake.Stream(w, "text/event-stream", events)
	}))
	defer upstream.Close()
	through := beforeURL(b, upstream.URL, nil)
	for name, url := range map[string]string{"direct": upstream.URL, "gateway": through.URL} {
		b.Run(name, func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(loop *testing.PB) {
				for loop.Next() {
					res, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader("{}"))
					if err != nil {
						b.Error(err)
						return
					}
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
					for range len(events) - 1 {
						loop.Next()
					}
				}
			})
		})
	}
}
