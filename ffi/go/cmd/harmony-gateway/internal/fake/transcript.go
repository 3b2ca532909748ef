// Package fake is for tests and measurements: transcripts with what they come to, and an upstream that leaks them.
package fake

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A Call is a tool call that a transcript comes to.
type Call struct{ Name, Arguments, Status string }

// Expected is what a transcript comes to with the lenient options.
type Expected struct {
	Content, Reasoning string
	ToolCalls          []Call `json:"tool_calls"`
}

// Callable says whether a client may run the calls.
func (e *Expected) Callable() bool {
	complete, cut := 0, 0
	for _, call := range e.ToolCalls {
		switch call.Status {
		case "incomplete":
			cut++
		case "complete":
			complete++
		}
	}
	return complete > 0 && cut == 0
}

// A Transcript is what a model writes.
type Transcript struct {
	Name, Text string
	Expected
}

// Transcripts reads those of the project, which lie in this folder.
func Transcripts(folder string) ([]Transcript, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) < 15 {
		return nil, fmt.Errorf("only %d transcripts in %s", len(files), folder)
	}
	var all []Transcript
	for _, file := range files {
		one, err := read(file)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

func read(file string) (Transcript, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return Transcript{}, err
	}
	data, err := os.ReadFile(strings.TrimSuffix(file, ".txt") + ".json")
	if err != nil {
		return Transcript{}, err
	}
	var want struct {
		Expected
		Failed  bool
		Lenient *Expected
	}
	if err := json.Unmarshal(data, &want); err != nil {
		return Transcript{}, err
	}
	if want.Lenient == nil {
		want.Lenient = &want.Expected
		if want.Failed {
			want.Lenient.Content = string(text)
		}
	}
	return Transcript{Name: strings.TrimSuffix(filepath.Base(file), ".txt"), Text: string(text), Expected: *want.Lenient}, nil
}

// Pieces cuts a text into pieces of about this many bytes, between characters: servers send whole ones.
func Pieces(text string, size int) []string {
	var all []string
	for text != "" {
		end := min(size, len(text))
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		all = append(all, text[:end])
		text = text[end:]
	}
	return all
}
