// Package protocol is the contestant's side of the protocol (see the README), for Go.
package protocol

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// An Input is a transcript and where it is cut.
type Input struct {
	Text   []byte
	Pieces [][]byte
	// Strings are the same pieces.
	Strings []string
	Tools   []string
}

// An Outcome is a transcript, split.
type Outcome struct {
	Content, Reasoning strings.Builder
	Calls              []Call
	Error              string
}

// A Call is a tool call.
type Call struct{ Name, Arguments string }

// Serve answers requests until the other side hangs up. count parses and gives the number of bytes that came out;
// parse keeps them.
func Serve(count func(*Input) int, parse func(*Input) *Outcome) {
	var input *Input
	requests := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for requests.Scan() {
		words := strings.Split(requests.Text(), "\t")
		switch words[0] {
		case "load":
			input = load(words[1], words[2])
			// So that the collector starts alike for each.
			debug.FreeOSMemory()
			fmt.Fprintln(out, "ok")
		case "time":
			var times, bytes int
			fmt.Sscan(words[1], &times)
			from := now()
			for range times {
				bytes += count(input)
			}
			fmt.Fprintln(out, now()-from, bytes)
		case "parse":
			write(out, parse(input))
		}
		out.Flush()
	}
}

func load(stem, cut string) *Input {
	input := &Input{Text: read(stem + ".text")}
	lengths, from := read(stem+"."+cut), 0
	for at := 0; at < len(lengths); at += 4 {
		to := from + int(binary.LittleEndian.Uint32(lengths[at:]))
		input.Pieces = append(input.Pieces, input.Text[from:to:to])
		input.Strings = append(input.Strings, string(input.Text[from:to]))
		from = to
	}
	input.Tools = strings.Fields(string(read(stem + ".tools")))
	return input
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return content
}

func write(out *bufio.Writer, outcome *Outcome) {
	field := func(name, text string) { fmt.Fprintf(out, "%s %d\n%s\n", name, len(text), text) }
	field("content", outcome.Content.String())
	field("reasoning", outcome.Reasoning.String())
	for _, call := range outcome.Calls {
		field("name", call.Name)
		field("arguments", call.Arguments)
	}
	field("error", outcome.Error)
	field("end", "")
}

// now is the processor time of this process in nanoseconds, that of the garbage collector included.
func now() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
