package harmony

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// rows reads a file of JSON lines from the project's vectors.
func rows[T any](t testing.TB, file string, count int) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "tests", "vectors", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, row)
	}
	if len(all) != count {
		t.Fatalf("%s has %d rows, not %d", file, len(all), count)
	}
	return all
}

// randomly cuts a text into pieces, most of them small; some are empty.
func randomly(rng *rand.Rand, text string) []string {
	var pieces []string
	most := 1 << rng.IntN(8)
	for text != "" {
		n := min(rng.IntN(most+1), len(text))
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return pieces
}

// pieces cuts a text into pieces of a size.
func pieces(text string, size int) []string {
	var all []string
	for len(text) > size {
		all = append(all, text[:size])
		text = text[size:]
	}
	return append(all, text)
}

func newParser(t testing.TB, options Options) *Parser {
	t.Helper()
	p, err := NewParser(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// stream pushes pieces and folds the events. The chunk's memory is overwritten after each push: events that were not
// copied, or that point where they must not, show.
func stream(t testing.TB, p *Parser, pieces []string) Parsed {
	t.Helper()
	var collector Collector
	var chunk []byte
	for _, piece := range pieces {
		chunk = append(chunk[:0], piece...)
		events, err := p.Push(chunk)
		if err != nil {
			t.Fatal(err)
		}
		collector.Add(events...)
		for i := range chunk {
			chunk[i] = '#'
		}
	}
	return finish(t, p, &collector)
}

func finish(t testing.TB, p *Parser, collector *Collector) Parsed {
	t.Helper()
	events, err := p.Finish()
	if err != nil {
		t.Fatal(err)
	}
	collector.Add(events...)
	if last := events[len(events)-1]; last.Kind != EventFinish {
		t.Fatalf("the last event is %v", last.Kind)
	}
	all := collector.Parsed()
	all.Summary, err = p.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func parse(t testing.TB, text string, options Options) Parsed {
	t.Helper()
	all, err := Parse(text, options)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// call and expected are how vectors and transcripts say what a text comes to.
type expectedCall struct {
	Name, Arguments, Status string
}

type expected struct {
	Failed             bool
	Content, Reasoning string
	ToolCalls          []expectedCall `json:"tool_calls"`
}

// check compares a result with what a vector says. Where a call has no status there, it is complete.
func check(t testing.TB, id, text string, got Parsed, want expected) {
	t.Helper()
	if want.Failed {
		want.Content = text
	}
	seen := expected{Failed: got.Summary.Failure != nil, Content: got.Content, Reasoning: got.Reasoning}
	for i, call := range got.ToolCalls {
		status := call.Status.String()
		if i < len(want.ToolCalls) && want.ToolCalls[i].Status == "" && call.Status == CallComplete {
			status = ""
		}
		seen.ToolCalls = append(seen.ToolCalls, expectedCall{call.Name, call.Arguments, status})
	}
	if len(want.ToolCalls) == 0 {
		want.ToolCalls = nil
	}
	same(t, id, seen, want)
}

func numberOf[N interface {
	~uint8
	String() string
}](t testing.TB, name string, count N) N {
	t.Helper()
	for n := N(0); n < count; n++ {
		if n.String() == name {
			return n
		}
	}
	t.Fatalf("no %T is called %q", count, name)
	return 0
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }
