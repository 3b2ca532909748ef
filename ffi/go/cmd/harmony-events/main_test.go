package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"harmony-stream/ffi/go"
)

func printed(t *testing.T, in io.Reader, options harmony.Options, size int) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(in, &out, options, size); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestLines(t *testing.T) {
	in := "<|channel|>analysis<|message|>\"<b>\" \\ é\x01\t\x7f <|end|><|start|>assistant<|channel|>commentary " +
		"to=functions.tide<|message|>{\"a\":1}<|call|><|call|>"
	want := `{"event":"message_start","channel":"analysis","recipient":null}
{"event":"reasoning","text":"\"<b>\" \\ é\u0001\t` + "\x7f" + ` "}
{"event":"message_end","end":"end"}
{"event":"message_start","channel":"commentary","recipient":"functions.tide"}
{"event":"tool_call_start","index":0,"name":"tide","recipient":"functions.tide"}
{"event":"tool_call_arguments","index":0,"text":"{\"a\":1}"}
{"event":"tool_call_end","index":0,"arguments":"{\"a\":1}","status":"complete"}
{"event":"message_end","end":"call"}
{"event":"deviation","kind":"stray_terminator","offset":` + strconv.Itoa(strings.LastIndex(in, "<|call|>")) + `,"dropped":"<|call|>"}
{"event":"finish","failure":null,"last_end":"call","deviations":1,"bytes":{"analysis":14,"commentary":7,"final":0,"other":0}}
`
	if got := printed(t, strings.NewReader(in), harmony.Lenient(), 1<<20); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFailure(t *testing.T) {
	want := `{"event":"content","text":"Hi."}
{"event":"finish","failure":{"kind":"no_message","offset":3},"last_end":null,"deviations":0,"bytes":{"analysis":0,"commentary":0,"final":0,"other":3}}
`
	if got := printed(t, strings.NewReader("Hi."), harmony.Options{}, 64); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBrokenUTF8(t *testing.T) {
	for in, want := range map[string]string{
		"\xff": "\uFFFD", "\xe2\x82": "\uFFFD", "\xe2\x82x": "\uFFFDx", "\xf0\x9f\x98": "\uFFFD",
		"\xed\xa0\x80": "\uFFFD\uFFFD\uFFFD", "\xc0\x80": "\uFFFD\uFFFD", "a\xe2\xff": "a\uFFFD\uFFFD",
		"\uFFFD": "\uFFFD", "\xf4\x90": "\uFFFD\uFFFD",
	} {
		if got := string(appendText(nil, in)); got != `"`+want+`"` {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// Whatever the pieces, the lines are JSON, and their texts come to the same.
func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("../../../../tests/transcripts/*.txt")
	if len(files) < 15 {
		t.Fatalf("%d transcripts", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		whole := fold(t, printed(t, bytes.NewReader(text), harmony.Lenient(), 1<<20))
		for _, size := range []int{1, 7, 64} {
			if fold(t, printed(t, bytes.NewReader(text), harmony.Lenient(), size)) != whole {
				t.Errorf("%s in pieces of %d bytes is another", file, size)
			}
		}
		parsed, err := harmony.Parse(string(text), harmony.Lenient())
		if err != nil || !strings.HasPrefix(whole, parsed.Content+"\x00"+parsed.Reasoning+"\x00") {
			t.Errorf("%s: the lines are not what Parse says", file)
		}
	}
}

// fold joins texts by kind, and keeps the last line.
func fold(t *testing.T, lines string) string {
	t.Helper()
	joined := map[string]string{}
	last := ""
	for _, last = range strings.Split(strings.TrimSuffix(lines, "\n"), "\n") {
		var event struct{ Event, Text, Name, Status string }
		if err := json.Unmarshal([]byte(last), &event); err != nil {
			t.Fatalf("%v in %s", err, last)
		}
		joined[event.Event] += event.Name + event.Text + event.Status
	}
	return joined["content"] + "\x00" + joined["reasoning"] + "\x00" + joined["tool_call_start"] +
		joined["tool_call_arguments"] + joined["tool_call_end"] + last
}

func TestErrorsOfReaderAndWriter(t *testing.T) {
	gone := errors.New("gone")
	err := run(iotest.ErrReader(gone), io.Discard, harmony.Options{}, 64)
	if !errors.Is(err, gone) {
		t.Errorf("reader: %v", err)
	}
	_, closed := io.Pipe()
	closed.CloseWithError(gone)
	if err := run(strings.NewReader("Hi."), closed, harmony.Options{}, 64); err == nil {
		t.Error("writer: no error")
	}
}
