package gateway

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// The first piece of text reaches the client before the upstream has ended.
func TestStreamingIsReal(t *testing.T) {
	read := make(chan struct{})
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		events := streamOf(reasons+answers, 4)
		fake.Stream(w, "text/event-stream", events[:12])
		<-read
		fake.Stream(w, "text/event-stream", events[12:])
	}), nil)
	res := b.chat(t)
	lines := bufio.NewReader(res.Body)
	line := ""
	for !strings.Contains(line, `"reasoning_content":"N`) {
		var err error
		if line, err = lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	close(read)
	got, err := fake.CollectChat(io.MultiReader(strings.NewReader(line), lines))
	if err != nil || got.Reasoning != "Need the weather." || got.Content != "It rains." || !got.Done {
		t.Fatal(got, err)
	}
}

// A client that hangs up frees its parser and cancels the request to the upstream.
func TestClientHangsUp(t *testing.T) {
	canceled := make(chan struct{})
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fake.Stream(w, "text/event-stream", streamOf(reasons, 4)[:12])
		<-r.Context().Done()
		close(canceled)
	}), nil)
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	request, _ := http.NewRequestWithContext(ctx, "POST", b.URL+"/v1/chat/completions", strings.NewReader("{}"))
	res, err := b.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := res.Body.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if open := b.value(t, b.gateway.metrics.streams); open != 1 {
		t.Fatalf("%v streams are open", open)
	}
	hangUp()
	select {
	case <-canceled:
	case <-time.After(10 * time.Second):
		t.Fatal("the upstream works on")
	}
	eventually(t, "the parser is freed", func() bool { return b.value(t, b.gateway.metrics.streams) == 0 })
	eventually(t, "the log tells", func() bool { return strings.Contains(b.log.String(), `"problem":"client_gone"`) })
}

// The same before there is a response.
func TestClientHangsUpEarly(t *testing.T) {
	asked, canceled := make(chan struct{}), make(chan struct{})
	b := before(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(canceled)
	}), nil)
	ctx, hangUp := context.WithCancel(context.Background())
	go func() {
		<-asked
		hangUp()
	}()
	request, _ := http.NewRequestWithContext(ctx, "POST", b.URL+"/v1/chat/completions", http.NoBody)
	if res, err := b.Client().Do(request); err == nil {
		res.Body.Close()
		t.Fatal("a response came")
	}
	<-canceled
	eventually(t, "the metrics tell", func() bool {
		return b.value(t, b.gateway.metrics.requests.WithLabelValues("chat", "499")) == 1
	})
}

// An upstream that breaks off in the middle breaks off the client's response too, behind what was held back.
func TestResetInTheMiddle(t *testing.T) {
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fake.Stream(w, "text/event-stream", streamOf("<|channel|>final<|message|>It rains <", 4)[:11])
		reset(t, w)
	}), nil)
	res := b.chat(t)
	body, err := io.ReadAll(res.Body)
	if err == nil {
		t.Fatal("the client does not notice")
	}
	got, err := fake.CollectChat(strings.NewReader(string(body)))
	if err != nil || got.Content != "It rains <" || got.Done {
		t.Fatal(got, err)
	}
	eventually(t, "the log tells", func() bool { return strings.Contains(b.log.String(), `"problem":"upstream_broken"`) })
	if n := b.value(t, b.gateway.metrics.problems.WithLabelValues("upstream_broken")); n != 1 {
		t.Fatal(n)
	}
}

// reset breaks a connection off.
func reset(t testing.TB, w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	connection.(*net.TCPConn).SetLinger(0)
	connection.Close()
}

func TestSilentUpstream(t *testing.T) {
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fake.Stream(w, "text/event-stream", streamOf(reasons, 4)[:12])
		<-r.Context().Done()
	}), func(c *Config) { c.IdleTimeout = 50 * time.Millisecond })
	if _, err := io.ReadAll(b.chat(t).Body); err == nil {
		t.Fatal("the client does not notice")
	}
	eventually(t, "the log tells", func() bool { return strings.Contains(b.log.String(), `"problem":"upstream_timeout"`) })
}

func TestGzip(t *testing.T) {
	zipped := func(media, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "" {
				t.Error("asked for an encoding")
			}
			w.Header().Set("Content-Type", media)
			w.Header().Set("Content-Encoding", "gzip")
			zip := gzip.NewWriter(w)
			io.WriteString(zip, text)
			zip.Close()
		})
	}
	b := before(t, zipped("text/event-stream", strings.Join(streamOf(reasons+answers, 4), "")), nil)
	got, err := fake.CollectChat(b.chat(t).Body)
	if err != nil || got.Content != "It rains." || !got.Done {
		t.Fatal(got, err)
	}
	b = before(t, zipped("application/json", fake.ChatBody("x", reasons+answers, "stop")), nil)
	res := b.chat(t)
	got, err = fake.CollectBody([]byte(read(t, res)))
	if err != nil || got.Content != "It rains." || res.Header.Get("Content-Encoding") != "" {
		t.Fatal(got, err)
	}
}

func TestBrokenGzip(t *testing.T) {
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fake.Body(w, `{"choices":[]}`)
	}), nil)
	if res := b.chat(t); res.StatusCode != http.StatusBadGateway {
		t.Fatal(res.Status)
	}
}

func TestUnknownEncodingPasses(t *testing.T) {
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		fake.Body(w, "\x0b\x02\x80")
	}), nil)
	res := b.chat(t)
	if body := read(t, res); body != "\x0b\x02\x80" || res.Header.Get("Content-Encoding") != "br" {
		t.Fatalf("%q", body)
	}
}

// Responses that mean themselves pass byte for byte; so does what is no JSON.
func TestUntouched(t *testing.T) {
	for _, response := range []string{strings.Join(streamOf("plain < text", 1), ""), "data: no JSON\n\n", ": ping\n\n", ""} {
		if got := read(t, before(t, sse(response), nil).chat(t)); got != response {
			t.Errorf("got %q, want %q", got, response)
		}
	}
	for _, body := range []string{"no JSON", "{}", fake.ChatBody("x", "plain", "stop")} {
		res := before(t, jsonBody(body), nil).chat(t)
		if got := read(t, res); got != body || res.StatusCode != http.StatusOK {
			t.Errorf("got %q, want %q", got, body)
		}
	}
}

func TestTenMegabytes(t *testing.T) {
	long := strings.Repeat("It rains in Oslo. ", 10<<20/18)
	text := "<|channel|>final<|message|>" + long
	b := before(t, sse(streamOf(text, 20<<20)...), nil)
	got, err := fake.CollectChat(b.chat(t).Body)
	if err != nil || got.Content != long {
		t.Fatal(len(got.Content), err)
	}
	b = before(t, jsonBody(fake.ChatBody("x", text, "stop")), nil)
	got, err = fake.CollectBody([]byte(read(t, b.chat(t))))
	if err != nil || got.Content != long {
		t.Fatal(len(got.Content), err)
	}
}

func TestLimits(t *testing.T) {
	long := "<|channel|>final<|message|>" + strings.Repeat("x", 1000)
	response := strings.Join(streamOf(long, 2000), "")
	b := before(t, sse(response), func(c *Config) { c.Split.MaxEvent = 500 })
	if got := read(t, b.chat(t)); got != response {
		t.Error("a long event was changed")
	}
	if n := b.value(t, b.gateway.metrics.limits.WithLabelValues("event")); n != 1 {
		t.Error("event", n)
	}
	body := fake.ChatBody("x", long, "stop")
	b = before(t, jsonBody(body), func(c *Config) { c.MaxBody = 500 })
	if got := read(t, b.chat(t)); got != body {
		t.Error("a long body was changed")
	}
	if n := b.value(t, b.gateway.metrics.limits.WithLabelValues("body")); n != 1 {
		t.Error("body", n)
	}
	b = before(t, jsonBody(body), func(c *Config) { c.Split.MaxTranscript = 500 })
	if got := read(t, b.chat(t)); got != body {
		t.Error("a long transcript was changed")
	}
	if n := b.value(t, b.gateway.metrics.limits.WithLabelValues("transcript")); n != 1 {
		t.Error("transcript", n)
	}
}

// Connections to the upstream are kept, also behind responses that were split.
func TestKeepAlive(t *testing.T) {
	var connections atomic.Int64
	upstream := httptest.NewUnstartedServer(sse(streamOf(reasons+answers, 4)...))
	upstream.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	upstream.Start()
	defer upstream.Close()
	b := beforeURL(t, upstream.URL, nil)
	for range 10 {
		read(t, b.chat(t))
	}
	if n := connections.Load(); n != 1 {
		t.Fatalf("%d connections", n)
	}
}

func TestErrIdleIsATimeout(t *testing.T) {
	if problemOf(errIdle) != timedOut || problemOf(context.DeadlineExceeded) != timedOut || problemOf(errors.New("x")) != broken {
		t.Fatal("problems are mixed up")
	}
}
