package split

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// How many times as much the large input is, and how much longer than so many small ones it may take. Quadratic work
// takes factor times as long.
const factor, slack = 16, 6

// linear runs as many small inputs as make a large one against that: both last equally long, so whatever else runs here
// slows both alike. Within the bound once is enough, since quadratic work never is.
func linear(small, large string, run func(string)) error {
	start := time.Now()
	return linearBy(func() time.Duration { return time.Since(start) }, small, large, run)
}

// linearBy is the same by any clock, such as one that counts.
func linearBy(clock func() time.Duration, small, large string, run func(string)) error {
	var times []time.Duration
	for range 20 {
		many := shorter(clock, func() {
			for range factor {
				run(small)
			}
		})
		one := shorter(clock, func() { run(large) })
		if one <= slack*many {
			return nil
		}
		times = append(times, many, one)
	}
	return fmt.Errorf("not linear: %v", times)
}

// shorter is the time of the run that was disturbed less.
func shorter(clock func() time.Duration, run func()) time.Duration {
	var times [2]time.Duration
	for i := range times {
		begin := clock()
		run()
		times[i] = clock() - begin
	}
	return min(times[0], times[1])
}

// By a clock that counts: a busy machine's own tells quadratic work only mostly.
func TestTheBoundTellsLinearWorkFromQuadratic(t *testing.T) {
	var steps int
	clock := func() time.Duration { return time.Duration(steps) }
	told := func(work func(bytes int) int) bool {
		run := func(text string) { steps += work(len(text)) }
		return linearBy(clock, strings.Repeat("a", 1<<10), strings.Repeat("a", factor<<10), run) != nil
	}
	if told(func(bytes int) int { return 3*bytes + 1000 }) {
		t.Error("linear work is called quadratic")
	}
	if !told(func(bytes int) int { return bytes * bytes }) {
		t.Error("quadratic work was not told")
	}
}

// all passes a response through a filter at once.
func all(filter func(Settings) *Filter) func(string) {
	return func(response string) {
		f := filter(Defaults())
		defer f.Close()
		f.Finish(f.Push(nil, []byte(response)))
	}
}

// many is n times a text, with a number of its own for each #.
func many(n int, text, between string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(text, "#", strconv.Itoa(i))
	}
	return strings.Join(all, between)
}

func texts(n int) string {
	return strings.Repeat("<|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>b<|end|>", n)
}

func calls(n int) string {
	return strings.Repeat("<|channel|>commentary to=functions.a<|message|>{}<|call|>", n)
}

// Sixteen times as much of whatever an event may have much of takes about sixteen times as long.
func TestLinear(t *testing.T) {
	for name, row := range map[string]struct {
		n    int
		text func(n int) string
		run  func(string)
	}{
		"choices": {400, func(n int) string {
			return `data: {"choices":[` + many(n, `{"index":#}`, ",") + "]}\n\n"
		}, all(NewChat)},
		"choices without a number": {400, func(n int) string {
			return `data: {"choices":[` + many(n, `{"delta":{"content":"#"}}`, ",") + "]}\n\n"
		}, all(NewChat)},
		// The last choice has an event of its own first: behind so many others it would not be read.
		"events behind one with many choices that waits": {1000, func(n int) string {
			last := `{"index":` + strconv.Itoa(n) + `,"delta":{"content":"<"}}`
			return `data: {"choices":[` + strings.Replace(last, "<", "x", 1) + "]}\n\n" +
				`data: {"choices":[` + many(n, `{"index":#}`, ",") + "," + last + "]}\n\n" +
				strings.Repeat("data: {}\n\n", 8*n)
		}, all(NewChat)},
		"texts in a chunk": {200, func(n int) string {
			return `data: {"id":"x","choices":[{"delta":{"role":"r","content":"` + texts(n) + `"}}]}` + "\n\n"
		}, all(NewChat)},
		"calls in a chunk": {200, func(n int) string {
			return `data: {"choices":[{"delta":{"content":"` + calls(n) + `"}}],"id":"x"}` + "\n\n"
		}, all(NewChat)},
		"texts in a delta with much else": {200, func(n int) string {
			return `data: {"choices":[{"delta":{` + many(n, `"#":0`, ",") + `,"content":"` + texts(n) + `"}}]}` + "\n\n"
		}, all(NewChat)},
		"texts in a line": {200, func(n int) string {
			return `{"message":{"content":"` + texts(n) + `"},"model":"m"}` + "\n"
		}, all(NewOllama)},
		"calls in a line": {200, func(n int) string {
			return `{"message":{"content":"` + calls(n) + `"}}` + "\n"
		}, all(NewOllama)},
		"texts in a line with much else": {200, func(n int) string {
			return `{"message":{` + many(n, `"#":0`, ",") + `,"content":"` + texts(n) + `"}}` + "\n"
		}, all(NewOllama)},
		"calls in a body": {200, func(n int) string {
			return `{"choices":[{"message":{"content":"` + calls(n) + `"}}],"id":"x"}`
		}, func(body string) { ChatBody([]byte(body), Defaults()) }},
		"calls in a body of Ollama": {200, func(n int) string {
			return `{"message":{"content":"` + calls(n) + `"}}`
		}, func(body string) { OllamaBody([]byte(body), Defaults()) }},
	} {
		if err := linear(row.text(row.n), row.text(factor*row.n), row.run); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
