package gateway

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// A bench is a gateway before an upstream.
type bench struct {
	*httptest.Server
	gateway *Gateway
	log     *lockedBuffer
	metrics *prometheus.Registry
}

// A lockedBuffer may be read while handlers still log.
type lockedBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(text)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.String()
}

func before(t testing.TB, upstream http.Handler, change func(*Config)) *bench {
	t.Helper()
	server := httptest.NewServer(upstream)
	t.Cleanup(server.Close)
	return beforeURL(t, server.URL, change)
}

func beforeURL(t testing.TB, upstream string, change func(*Config)) *bench {
	t.Helper()
	b := &bench{log: &lockedBuffer{}, metrics: prometheus.NewRegistry()}
	config := Defaults()
	config.Upstream, _ = url.Parse(upstream)
	config.Log = slog.New(slog.NewJSONHandler(b.log, nil))
	if change != nil {
		change(&config)
	}
	gateway, err := New(config, b.metrics)
	if err != nil {
		t.Fatal(err)
	}
	b.gateway, b.Server = gateway, httptest.NewServer(gateway)
	t.Cleanup(b.Server.Close)
	return b
}

func (b *bench) post(t testing.TB, path, body string) *http.Response {
	t.Helper()
	res, err := b.Client().Post(b.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return res
}

func (b *bench) chat(t testing.TB) *http.Response {
	t.Helper()
	return b.post(t, "/v1/chat/completions", `{"model":"x","stream":true}`)
}

func read(t testing.TB, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func transcripts(t testing.TB) []fake.Transcript {
	t.Helper()
	all, err := fake.Transcripts("../../../../../../tests/transcripts")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sse answers every request with this response.
func sse(events ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fake.Stream(w, "text/event-stream", events) })
}

func jsonBody(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fake.Body(w, body) })
}

func streamOf(text string, size int) []string {
	return fake.ChatEvents("chatcmpl-1", fake.Pieces(text, size), "stop")
}

func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !fake.Eventually(so) {
		t.Fatalf("not even after a while: %s", what)
	}
}

// value is one of the metrics, as written in the text format without its value.
func (b *bench) value(t testing.TB, collector prometheus.Collector) float64 {
	t.Helper()
	return testutil.ToFloat64(collector)
}

const (
	reasons = "<|channel|>analysis<|message|>Need the weather.<|end|>"
	answers = "<|start|>assistant<|channel|>final<|message|>It rains.<|return|>"
	calls   = "<|start|>assistant<|channel|>commentary to=functions.weather<|message|>{\"city\":\"Oslo\"}<|call|>"
	leaky   = "Done. analysis to=functions.edit code 大发"
)
