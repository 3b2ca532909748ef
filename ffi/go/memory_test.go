package harmony

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPushAllocatesNothing(t *testing.T) {
	p := newParser(t, Lenient())
	detector := newDetector(t, SurfaceText)
	if _, err := p.PushString("<|channel|>analysis<|message|>"); err != nil {
		t.Fatal(err)
	}
	chunk := []byte("word")
	push := func() {
		if events, err := p.Push(chunk); err != nil || len(events) != 1 {
			t.Fatal(events, err)
		}
		if _, err := detector.Push(chunk); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "allocations", testing.AllocsPerRun(1000, push), 0.0)
}

func TestWholeStreamsAllocateNothing(t *testing.T) {
	p := newParser(t, Options{})
	cut := make([][]byte, 0)
	for _, piece := range pieces(weather, 4) {
		cut = append(cut, []byte(piece))
	}
	turn := func() {
		for _, chunk := range cut {
			if _, err := p.Push(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Finish(); err != nil {
			t.Fatal(err)
		}
		if err := p.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	turn()
	buffer := cap(p.scratch)
	same(t, "allocations", testing.AllocsPerRun(100, turn), 0.0)
	same(t, "buffer", cap(p.scratch), buffer)
}

func TestTokensAllocateNothing(t *testing.T) {
	p := newParser(t, Options{Input: InputTokens})
	turn := func() {
		p.PushControl(ControlChannel)
		p.PushString("final")
		p.PushControl(ControlMessage)
		if events, err := p.PushString("Yes."); err != nil || len(events) != 1 {
			t.Fatal(events, err)
		}
		p.Finish()
		p.Reset()
	}
	turn()
	same(t, "allocations", testing.AllocsPerRun(100, turn), 0.0)
}

// A parser that nobody closed is freed with the Go object: a gigabyte passes through here, and little of it stays.
func TestForgottenParsersAreFreed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("the size of the process is read as Linux tells it")
		return
	}
	before := resident(t)
	chunk := bytes.Repeat([]byte("x"), 8<<20)
	for range 128 {
		p, err := NewParser(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Push(chunk); err != nil {
			t.Fatal(err)
		}
		p = nil
		runtime.GC()
	}
	// Cleanups run in a goroutine of their own, when the machine gets round to it. AddressSanitizer keeps 256 MB of what
	// was freed.
	grown := func() int { return resident(t) - before }
	for end := time.Now().Add(time.Minute); grown() > 512<<20; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the process has grown by %d MB", grown()>>20)
		}
	}
}

func resident(t *testing.T) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// Parsers share nothing: goroutines with one each, and parsers that move between them.
func TestGoroutinesWithAParserEach(t *testing.T) {
	all := transcripts(t)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := range all {
				transcript := all[(i+worker)%len(all)]
				p := newParser(t, Lenient())
				got := stream(t, p, pieces(transcript.text, 7+worker))
				if want := parse(t, transcript.text, Lenient()); got.Content != want.Content {
					t.Errorf("%s is mixed up", transcript.name)
				}
			}
		}()
	}
	group.Wait()
}

func TestParsersMoveBetweenGoroutines(t *testing.T) {
	p := newParser(t, Options{})
	var collector Collector
	for _, piece := range pieces(weather, 8) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			events, _ := p.PushString(piece)
			collector.Add(events...)
		}()
		<-done
	}
	same(t, "calls", finish(t, p, &collector).ToolCalls, parse(t, weather, Options{}).ToolCalls)
}
