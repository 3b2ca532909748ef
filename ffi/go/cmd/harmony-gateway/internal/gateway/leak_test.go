package gateway

import (
	"net/http"
	"strings"
	"testing"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

func leaking(mode LeakMode) func(*Config) { return func(c *Config) { c.Leak = mode } }

const label = "assistant_text=M+C+S"

func TestLeakReport(t *testing.T) {
	b := before(t, jsonBody(fake.ChatBody("x", leaky, "stop")), leaking(LeakReport))
	res := b.chat(t)
	if got := res.Header.Get(leakHeader); got != label {
		t.Errorf("header %q", got)
	}
	if body := read(t, res); !strings.Contains(body, leaky) {
		t.Error("the answer was changed")
	}
	if n := b.value(t, b.gateway.metrics.leaks.WithLabelValues("assistant_text", "reported")); n != 1 {
		t.Error("metric", n)
	}
	eventually(t, "the log tells", func() bool { return strings.Contains(b.log.String(), `"signal":"M+C+S"`) })
}

// Where a response streams, the header comes when it is known: behind the body.
func TestLeakTrailer(t *testing.T) {
	b := before(t, sse(streamOf("<|channel|>final<|message|>"+leaky, 4)...), leaking(LeakReport))
	res := b.chat(t)
	read(t, res)
	if got := res.Trailer.Get(leakHeader); got != label {
		t.Errorf("trailer %q", got)
	}
	b = before(t, sse(streamOf(reasons+answers, 4)...), leaking(LeakReport))
	res = b.chat(t)
	read(t, res)
	if got := res.Trailer.Get(leakHeader); got != "" {
		t.Errorf("trailer %q of a clean response", got)
	}
}

func TestLeakOff(t *testing.T) {
	b := before(t, jsonBody(fake.ChatBody("x", leaky, "stop")), nil)
	res := b.chat(t)
	read(t, res)
	if got := res.Header.Get(leakHeader); got != "" {
		t.Errorf("header %q", got)
	}
}

// leaksAtFirst leaks in its first answers, and checks that it is asked the same each time.
func leaksAtFirst(t *testing.T, times int, asked *int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body strings.Builder
		if _, err := copyTo(&body, r); err != nil || body.String() != `{"model":"x","stream":true}` {
			t.Errorf("asked %q %v", body.String(), err)
		}
		*asked++
		if *asked <= times {
			fake.Body(w, fake.ChatBody("x", leaky, "stop"))
			return
		}
		fake.Body(w, fake.ChatBody("x", reasons+answers, "stop"))
	})
}

func copyTo(to *strings.Builder, r *http.Request) (int64, error) {
	buffer := make([]byte, 1<<10)
	var all int64
	for {
		n, err := r.Body.Read(buffer)
		to.Write(buffer[:n])
		all += int64(n)
		if err != nil {
			if err.Error() == "EOF" {
				err = nil
			}
			return all, err
		}
	}
}

func TestLeakRetry(t *testing.T) {
	for _, row := range []struct {
		leaks, asked         int
		retries, header, say string
	}{
		{0, 1, "", "", "It rains."},
		{1, 2, "1", "", "It rains."},
		{2, 3, "2", "", "It rains."},
		{9, 3, "2", label, "Done."},
	} {
		asked := 0
		b := before(t, leaksAtFirst(t, row.leaks, &asked), leaking(LeakRetry))
		res := b.chat(t)
		if body := read(t, res); !strings.Contains(body, row.say) || asked != row.asked {
			t.Errorf("%d leaks: asked %d times: %s", row.leaks, asked, body)
		}
		if got := res.Header.Get(retryHeader); got != row.retries {
			t.Errorf("%d leaks: retries %q", row.leaks, got)
		}
		if got := res.Header.Get(leakHeader); got != row.header {
			t.Errorf("%d leaks: header %q", row.leaks, got)
		}
		retried := b.value(t, b.gateway.metrics.leaks.WithLabelValues("assistant_text", "retried"))
		if int(retried) != min(row.leaks, Retries) {
			t.Errorf("%d leaks: metric %v", row.leaks, retried)
		}
	}
}

// A stream can't be taken back; its leaks are reported.
func TestLeakRetryDoesNotTouchStreams(t *testing.T) {
	asked := 0
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fake.Stream(w, "text/event-stream", streamOf(leaky, 4))
	}), leaking(LeakRetry))
	res := b.chat(t)
	read(t, res)
	if asked != 1 || res.Trailer.Get(leakHeader) != label {
		t.Fatal(asked, res.Trailer)
	}
}
