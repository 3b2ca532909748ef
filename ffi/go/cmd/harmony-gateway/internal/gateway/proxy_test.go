package gateway

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// All that is not to be split passes: any path, method, header and query.
func TestAllElsePasses(t *testing.T) {
	b := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Accept-Encoding"))
		w.WriteHeader(http.StatusTeapot)
		w.Write(append([]byte("<|channel|>final<|message|>"), body...))
	}), nil)
	request, _ := http.NewRequest("PUT", b.URL+"/v1/models?a=b%20c", strings.NewReader("body"))
	request.Header.Set("Authorization", "Bearer x")
	request.Header.Set("Accept-Encoding", "br")
	res, err := b.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if seen := res.Header.Get("X-Seen"); seen != "PUT /v1/models?a=b%20c Bearer x br" {
		t.Error(seen)
	}
	if body := read(t, res); body != "<|channel|>final<|message|>body" || res.StatusCode != http.StatusTeapot {
		t.Error(res.Status, body)
	}
}

// What the upstream says of an error is the upstream's.
func TestUpstreamErrorsPass(t *testing.T) {
	for _, code := range []int{400, 401, 404, 429, 500, 503} {
		body := `{"error":{"message":"<|channel|>final<|message|>x"}}`
		b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(code)
			io.WriteString(w, body)
		}), nil)
		res := b.chat(t)
		if got := read(t, res); got != body || res.StatusCode != code || res.Header.Get("Retry-After") != "7" {
			t.Errorf("%s %s", res.Status, got)
		}
	}
}

// problemIn is the code in the body of an error of the gateway's.
func problemIn(t *testing.T, res *http.Response) string {
	t.Helper()
	var body struct {
		Error struct{ Code, Message, Type string }
	}
	if err := json.Unmarshal([]byte(read(t, res)), &body); err != nil {
		t.Fatal(err)
	}
	return body.Error.Code
}

func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	b := beforeURL(t, "http://"+listener.Addr().String(), nil)
	res := b.chat(t)
	if code := problemIn(t, res); code != "upstream_unreachable" || res.StatusCode != http.StatusBadGateway {
		t.Fatal(res.Status, code)
	}
	res = b.post(t, "/api/chat", "{}")
	if body := read(t, res); body != `{"error":"the upstream can't be reached"}`+"\n" {
		t.Fatal(body)
	}
}

func TestSlowUpstream(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	b := before(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-stop:
		}
	}), func(c *Config) { c.HeaderTimeout = 50 * time.Millisecond })
	res := b.chat(t)
	if code := problemIn(t, res); code != "upstream_timeout" || res.StatusCode != http.StatusGatewayTimeout {
		t.Fatal(res.Status, code)
	}
}

func TestBrokenResponses(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"nothing": func(w http.ResponseWriter) { reset(t, w) },
		"half a body": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"choices":[`)
			w.(http.Flusher).Flush()
			reset(t, w)
		},
		"no HTTP": func(w http.ResponseWriter) {
			connection, _, _ := http.NewResponseController(w).Hijack()
			io.WriteString(connection, "the secret word\r\n\r\n")
			connection.Close()
		},
	} {
		b := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }), nil)
		res := b.chat(t)
		if code := problemIn(t, res); code != "upstream_broken" || res.StatusCode != http.StatusBadGateway {
			t.Errorf("%s: %s %s", name, res.Status, code)
		}
	}
}

func TestLargeRequests(t *testing.T) {
	for _, mode := range []LeakMode{LeakOff, LeakRetry} {
		b := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			fake.Body(w, "{}")
		}), func(c *Config) { c.MaxRequest, c.Leak = 1000, mode })
		res := b.post(t, "/v1/chat/completions", strings.Repeat("x", 100_000))
		if code := problemIn(t, res); code != "request_too_large" || res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %s %s", mode, res.Status, code)
		}
	}
}

func TestConfigsThatMeanNothing(t *testing.T) {
	good, _ := url.Parse("http://127.0.0.1:1")
	for name, change := range map[string]func(*Config){
		"no upstream": func(c *Config) { c.Upstream = nil },
		"scheme":      func(c *Config) { c.Upstream = &url.URL{Scheme: "ftp", Host: "x"} },
		"leak":        func(c *Config) { c.Leak = "x" },
		"reasoning":   func(c *Config) { c.Split.Reasoning = "x" },
		"limit":       func(c *Config) { c.MaxBody = 0 },
	} {
		config := Defaults()
		config.Upstream = good
		change(&config)
		if _, err := New(config, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// An upstream below a path.
func TestPrefix(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fake.Body(w, fake.ChatBody(r.URL.Path, reasons+answers, "stop"))
	}))
	defer upstream.Close()
	b := beforeURL(t, upstream.URL+"/deployment/7", nil)
	body := read(t, b.chat(t))
	if !strings.Contains(body, `"id":"/deployment/7/v1/chat/completions"`) || !strings.Contains(body, `"content":"It rains."`) {
		t.Fatal(body)
	}
}
