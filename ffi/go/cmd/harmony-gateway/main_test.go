package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// started runs the program before an upstream, and gives its addresses and what its end says.
func started(t *testing.T, ctx context.Context, arguments ...string) (front, side string, ended chan error) {
	t.Helper()
	addresses := make(chan [2]net.Addr, 1)
	ended = make(chan error, 1)
	arguments = append([]string{"-listen", "127.0.0.1:0", "-metrics", "127.0.0.1:0"}, arguments...)
	go func() {
		ended <- run(ctx, arguments, io.Discard, func(front, side net.Addr) { addresses <- [2]net.Addr{front, side} })
	}()
	select {
	case both := <-addresses:
		return "http://" + both[0].String(), "http://" + both[1].String(), ended
	case err := <-ended:
		t.Fatal(err)
	}
	return
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// A stream that is being served at shutdown comes to its end.
func TestGracefulShutdown(t *testing.T) {
	goOn := make(chan struct{})
	events := fake.ChatEvents("x", fake.Pieces("<|channel|>final<|message|>It rains.<|return|>", 4), "stop")
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fake.Stream(w, "text/event-stream", events[:9])
		<-goOn
		fake.Stream(w, "text/event-stream", events[9:])
	}))
	defer upstream.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	front, side, ended := started(t, ctx, "-upstream", upstream.URL)
	if body := get(t, side+"/healthz"); body != "ok\n" {
		t.Error(body)
	}
	res, err := http.Post(front+"/v1/chat/completions", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	stop()
	// Nobody new is let in; when that is so, the shutdown has begun.
	for {
		connection, err := net.Dial("tcp", strings.TrimPrefix(front, "http://"))
		if err != nil {
			break
		}
		connection.Close()
	}
	close(goOn)
	got, err := fake.CollectChat(res.Body)
	if err != nil || got.Content != "It rains." || !got.Done {
		t.Error(got, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestMetricsPage(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) }))
	defer upstream.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	front, side, ended := started(t, ctx, "-upstream", upstream.URL)
	if body := get(t, front+"/metrics"); body != "/metrics" {
		t.Errorf("the upstream's metrics are hidden: %s", body)
	}
	// A request is counted when it is over, and its client may know of that before the gateway does.
	counted := `harmony_gateway_requests_total{code="200",route="other"} 1`
	if !fake.Eventually(func() bool { return strings.Contains(get(t, side+"/metrics"), counted) }) {
		t.Fatal(get(t, side+"/metrics"))
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestFlags(t *testing.T) {
	flags, err := parseFlags([]string{"-upstream", "http://x", "-policy", "verbatim", "-routing", "commentary_functions",
		"-start", "final_body", "-leak", "retry", "-reasoning-field", "reasoning", "-max-event", "7", "-idle-timeout", "3s"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	c := flags.config
	parser := c.Split.Parser
	if parser.Policy.String() != "verbatim" || parser.Routing.String() != "commentary_functions" ||
		parser.Start.String() != "final_body" || c.Leak != "retry" || c.Split.Reasoning != "reasoning" ||
		c.Split.MaxEvent != 7 || c.IdleTimeout.Seconds() != 3 {
		t.Errorf("%+v", c)
	}
}

func TestFlagsThatMeanNothing(t *testing.T) {
	for _, arguments := range [][]string{
		{}, {"-upstream", "ftp://x"}, {"-upstream", "://"}, {"-upstream", "http://x", "-policy", "x"},
		{"-upstream", "http://x", "-routing", "x"}, {"-upstream", "http://x", "-start", "x"},
		{"-upstream", "http://x", "-leak", "x"}, {"-upstream", "http://x", "-log-level", "x"},
		{"-upstream", "http://x", "more"}, {"-nonsense"}, {"-upstream", "http://x", "-listen", "nowhere:x"},
		{"-upstream", "http://x", "-listen", "127.0.0.1:0", "-metrics", "nowhere:x"},
	} {
		if err := run(context.Background(), arguments, io.Discard, nil); err == nil {
			t.Errorf("%q: no error", arguments)
		}
	}
	var help bytes.Buffer
	if err := run(context.Background(), []string{"-h"}, &help, nil); !errors.Is(err, flag.ErrHelp) || help.Len() == 0 {
		t.Error("no help", err)
	}
}
