// Command latency measures what the gateway adds to a token: a fake upstream streams tokens at a pace and notes when it
// sends each one, clients note when they get it, once directly and once through the gateway, in one process.
//
//	go run ./latency [-streams 1,100] [-tokens 300] [-pace 10ms]
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/gateway"
)

func main() {
	counts := flag.String("streams", "1,100", "how many streams at once, in turn")
	tokens := flag.Int("tokens", 300, "tokens of a stream")
	pace := flag.Duration("pace", 10*time.Millisecond, "time between two tokens of a stream")
	flag.Parse()
	if err := run(*counts, *tokens, *pace); err != nil {
		fmt.Fprintln(os.Stderr, "latency:", err)
		os.Exit(1)
	}
}

func run(counts string, tokens int, pace time.Duration) error {
	upstream := httptest.NewServer(paced{tokens, pace})
	defer upstream.Close()
	config := gateway.Defaults()
	config.Upstream, _ = url.Parse(upstream.URL)
	config.Log = slog.New(slog.NewJSONHandler(io.Discard, nil))
	handler, err := gateway.New(config, prometheus.NewRegistry())
	if err != nil {
		return err
	}
	proxy := httptest.NewServer(handler)
	defer proxy.Close()
	fmt.Println("streams  tokens   direct p50 / p99      gateway p50 / p99     added p50 / p99")
	for _, count := range strings.Split(counts, ",") {
		streams, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		direct, err := measure(upstream.URL, streams)
		if err != nil {
			return err
		}
		through, err := measure(proxy.URL, streams)
		if err != nil {
			return err
		}
		d50, d99, g50, g99 := at(direct, 50), at(direct, 99), at(through, 50), at(through, 99)
		fmt.Printf("%7d %7d %9v / %-9v %9v / %-9v %9v / %v\n", streams, len(through), d50, d99, g50, g99, g50-d50, g99-d99)
	}
	return nil
}

// A paced upstream writes the time into each token.
type paced struct {
	tokens int
	pace   time.Duration
}

func (p paced) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) {
		fmt.Fprintf(w, `data: {"id":"x","choices":[{"index":0,"delta":{"content":%q}}]}`+"\n\n", text)
		w.(http.Flusher).Flush()
	}
	send("<|channel|>analysis<|message|>")
	tick := time.NewTicker(p.pace)
	defer tick.Stop()
	for range p.tokens {
		<-tick.C
		send(fmt.Sprintf("[%d]", time.Now().UnixNano()))
	}
}

// measure is how long each token took, over all streams.
func measure(url string, streams int) ([]time.Duration, error) {
	var mutex sync.Mutex
	var all []time.Duration
	var failed error
	var group sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: streams}}
	defer client.CloseIdleConnections()
	for i := range streams {
		group.Add(1)
		go func() {
			defer group.Done()
			// Not all in step.
			time.Sleep(time.Duration(i) * 10 * time.Millisecond / time.Duration(streams))
			one, err := stream(client, url)
			mutex.Lock()
			defer mutex.Unlock()
			all = append(all, one...)
			if err != nil {
				failed = err
			}
		}()
	}
	group.Wait()
	slices.Sort(all)
	if len(all) == 0 && failed == nil {
		failed = fmt.Errorf("no tokens came")
	}
	return all, failed
}

func stream(client *http.Client, url string) ([]time.Duration, error) {
	res, err := client.Post(url+"/v1/chat/completions", "application/json", strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var took []time.Duration
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		_, rest, ok := strings.Cut(lines.Text(), `"[`)
		if !ok {
			continue
		}
		now := time.Now().UnixNano()
		digits, _, _ := strings.Cut(rest, "]")
		sent, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, err
		}
		took = append(took, time.Duration(now-sent))
	}
	return took, lines.Err()
}

func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)].Round(time.Microsecond)
}
