package split

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"harmony-stream/ffi/go"
	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

const mark = "\ufeff" // the byte order mark

// underEachPolicy is Defaults, and the same under the verbatim policy.
func underEachPolicy() []Settings {
	verbatim := Defaults()
	verbatim.Parser.Policy = harmony.PolicyVerbatim
	return []Settings{Defaults(), verbatim}
}

func transcripts(t testing.TB) []fake.Transcript {
	t.Helper()
	all, err := fake.Transcripts("../../../../../../tests/transcripts")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// filtered passes a response through a filter in chunks of random lengths.
func filtered(t testing.TB, f *Filter, response string, most int) string {
	t.Helper()
	defer f.Close()
	rng := rand.New(rand.NewPCG(uint64(len(response)), uint64(most)))
	var out []byte
	for rest := response; rest != ""; {
		n := min(1+rng.IntN(most), len(rest))
		out = f.Push(out, []byte(rest[:n]))
		rest = rest[n:]
	}
	return string(f.Finish(out))
}

func TestTranscriptsThroughChat(t *testing.T) {
	for _, transcript := range transcripts(t) {
		for _, size := range []int{1, 4, 64} {
			response := strings.Join(fake.ChatEvents("chatcmpl-1", fake.Pieces(transcript.Text, size), "stop"), "")
			got, err := fake.CollectChat(strings.NewReader(filtered(t, NewChat(Defaults()), response, 16*size)))
			if err == nil {
				err = transcript.CheckChat(got)
			}
			if err != nil || !got.Done {
				t.Fatal(err)
			}
		}
		body, _ := ChatBody([]byte(fake.ChatBody("chatcmpl-1", transcript.Text, "stop")), Defaults())
		got, err := fake.CollectBody(body)
		if err == nil {
			err = transcript.CheckChat(got)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTranscriptsThroughOllama(t *testing.T) {
	for _, transcript := range transcripts(t) {
		for _, size := range []int{1, 4, 64} {
			response := strings.Join(fake.OllamaLines(fake.Pieces(transcript.Text, size)), "")
			got, err := fake.CollectOllama(strings.NewReader(filtered(t, NewOllama(Defaults()), response, 100)))
			if err == nil {
				err = transcript.CheckOllama(got)
			}
			if err != nil || !got.Done {
				t.Fatal(err)
			}
		}
		body, _ := OllamaBody([]byte(fake.OllamaBody(transcript.Text)), Defaults())
		got, err := fake.CollectBody(body)
		if err == nil {
			err = transcript.CheckOllama(got)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The verbatim policy waits, and gives a whole answer or none.
func TestVerbatim(t *testing.T) {
	settings := Defaults()
	settings.Parser = harmony.Options{}
	good := strings.Join(fake.ChatEvents("x", fake.Pieces("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"+
		"<|channel|>final<|message|>Yes.<|return|>", 4), "stop"), "")
	got, err := fake.CollectChat(strings.NewReader(filtered(t, NewChat(settings), good, 9)))
	if err != nil || got.Content != "Yes." || got.Reasoning != "Hm." || !got.Done {
		t.Fatal(got, err)
	}
	f := NewChat(settings)
	defer f.Close()
	// A comment does not wait with the rest.
	if out := string(f.Push(nil, []byte(good[:len(good)/2]+"\n\n: ping\n\n"))); !strings.HasSuffix(out, ": ping\n\n") ||
		strings.Contains(out, "Hm.") {
		t.Fatalf("%q", out)
	}
	bad := strings.Join(fake.ChatEvents("x", fake.Pieces("<|channel|>final<|message|>Yes.<|message|>No.", 4), "stop"), "")
	f = NewChat(settings)
	if out := filtered(t, f, bad, 9); out != bad {
		t.Fatalf("changed:\n%s", out)
	}
	if found := f.Summary(); found.Failed != 1 || found.Split != 0 || found.Plain != 0 {
		t.Fatalf("%+v", found)
	}
}

// What has nothing to be split passes byte for byte, however it is cut.
func TestUntouched(t *testing.T) {
	events := fake.ChatEvents("x", []string{"<", "|", "x", "y"}, "stop")
	plain := strings.Join(fake.ChatEvents("x", fake.Pieces("\n Is a <| b, or a < b? It isn't.\n<", 1), "stop"), "")
	for name, response := range map[string]string{
		"plain text":       plain,
		"crlf":             strings.ReplaceAll(plain, "\n", "\r\n"),
		"cr":               strings.ReplaceAll(plain, "\n", "\r"),
		"structured":       `data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm. <|end|>"}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{"content":"<|channel|>final<|message|>"}}]}` + "\n\ndata: [DONE]\n\n",
		"their tool calls": `data: {"choices":[{"index":0,"delta":{"content":"<|channel|>","tool_calls":[{"index":0}]}}]}` + "\n\n",
		"comments":         ": ping\n\nevent: x\nid: 7\nretry: 1\n\ndata: {\"error\":{\"message\":\"<|end|>\"}}\n\n",
		"no JSON":          "data: {\"choices\":[\n\ndata: <|channel|>\n\ndata\n\n",
		"other shapes":     `data: {"choices":7}` + "\n\n" + `data: {"choices":[7]}` + "\n\n" + `data: {"choices":[{"delta":{"content":[1]}}]}` + "\n\n" + `data: {"choices":[{"index":0,"delta":{}},{"index":0,"delta":{}}]}` + "\n\n",
		"comment between":  events[0] + `data: {"choices":[{"index":0,"delta":{"content":"a <"}}]}` + "\n\n: ping\n\n" + events[4] + ": x",
		"no end":           `data: {"choices":[{"index":0,"delta":{"content":"a <|"}}]}`,
		"empty":            "",
	} {
		for _, most := range []int{1, 10, 1 << 20} {
			f := NewChat(Defaults())
			if out := filtered(t, f, response, most); out != response {
				t.Errorf("%s, pieces up to %d:\n got %q\nwant %q", name, most, out, response)
			}
			if found := f.Summary(); found.Split != 0 {
				t.Errorf("%s: %+v", name, found)
			}
		}
	}
	for _, line := range []string{"{\"message\":{\"role\":\"assistant\",\"content\":\"a < b\"},\"done\":false}\r\n",
		"\n", "no JSON\n", "{\"error\":\"<|end|>\"}\n", `{"message":{"content":"<|end|>","thinking":"x"}}`} {
		if out := filtered(t, NewOllama(Defaults()), line, 3); out != line {
			t.Errorf("got %q, want %q", out, line)
		}
	}
}

// The bytes of a byte order mark pass, and what comes behind it is what it is without.
func TestAByteOrderMarkHidesNothing(t *testing.T) {
	const marked = "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon <"
	for _, text := range []string{marked, "Is it < noon?", ""} {
		for _, settings := range underEachPolicy() {
			for _, most := range []int{1, 2, 1000} {
				events := strings.Join(fake.ChatEvents("x", []string{text}, "stop")[1:], "")
				out := filtered(t, NewChat(settings), events, most)
				if got := filtered(t, NewChat(settings), mark+events, most); got != mark+out {
					t.Errorf("got %q\nwant the mark and %q", got, out)
				}
				lines := strings.Join(fake.OllamaLines([]string{text}), "")
				out = filtered(t, NewOllama(settings), lines, most)
				if got := filtered(t, NewOllama(settings), mark+lines, most); got != mark+out {
					t.Errorf("got %q\nwant the mark and %q", got, out)
				}
			}
		}
	}
}

// At the beginning only; what may be one is not lost.
func TestAByteOrderMarkAnywhereElseIsNone(t *testing.T) {
	event := `data: {"choices":[{"delta":{"content":"<|channel|>final<|message|>Noon."}}]}` + "\n\n"
	line := fake.OllamaLines([]string{"<|channel|>final<|message|>Noon."})[0]
	for _, begin := range []string{mark + mark, "\n" + mark, mark + "\n" + mark, "\xef", "\xef\xbb", "\xef\xbb\n" + mark} {
		for _, end := range []string{event, line, ""} {
			for _, most := range []int{1, 2, 1000} {
				response := begin + end
				if out := filtered(t, NewChat(Defaults()), response, most); out != response {
					t.Errorf("chat: got %q, want %q", out, response)
				}
				if out := filtered(t, NewOllama(Defaults()), response, most); out != response {
					t.Errorf("ollama: got %q, want %q", out, response)
				}
			}
		}
	}
}

// A line may be long, and come in many pieces: what was looked at could be anything by then.
func TestNoByteIsLookedAtAgain(t *testing.T) {
	event := "event: x\n: " + strings.Repeat("x", 50) + "\ndata: " + strings.Repeat("{}", 50) + "\nid: 7\n\n"
	for name, row := range map[string]struct {
		format format
		event  string
	}{
		"lf":     {&chat{}, event},
		"crlf":   {&chat{}, strings.ReplaceAll(event, "\n", "\r\n")},
		"cr":     {&chat{}, strings.ReplaceAll(event, "\n", "\r")},
		"ollama": {&ollama{}, strings.Repeat("{}", 50) + "\n"},
	} {
		for _, step := range []int{1, 7, 60} {
			text := []byte(row.event + row.event)
			end := 0
			for n := step; end == 0 && n <= len(text); n += step {
				end = row.format.next(text[:n])
				spoil(text[:n-1], row.event)
			}
			if end != len(row.event) {
				t.Errorf("%s, steps of %d: %d of %d bytes", name, step, end, len(row.event))
			}
		}
	}
}

// spoil ends a line at every byte but the first of each, which says whether the line is blank.
func spoil(text []byte, was string) {
	for i := 1; i < min(len(text), len(was)); i++ {
		if !strings.ContainsRune("\r\n", rune(was[i-1])) {
			text[i] = '\n'
		}
	}
}

func TestEverythingElseInAnEventStays(t *testing.T) {
	response := `: hello` + "\n\n" +
		`event: chunk` + "\n" + `id: 7` + "\n" +
		`data: {"id":"x","created":1,"object":"o","model":"m","vendor":{"a":[1, 2]},"choices":[{"index":0,"delta":` +
		`{"role":"assistant","content":"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final` +
		`<|message|>Yes.","extra":true},"logprobs":{"content":[]},"finish_reason":null}],"usage":null}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":3}}` + "\n\n"
	want := `: hello` + "\n\n" +
		`data: {"id":"x","created":1,"object":"o","model":"m","choices":[{"index":0,"delta":{"role":"assistant",` +
		`"reasoning_content":"Hm."},"finish_reason":null}]}` + "\n\n" +
		`event: chunk` + "\n" + `id: 7` + "\n" +
		`data: {"id":"x","created":1,"object":"o","model":"m","vendor":{"a":[1, 2]},"choices":[{"index":0,"delta":` +
		`{"extra":true,"content":"Yes."},"logprobs":{"content":[]},"finish_reason":null}],"usage":null}` + "\n\n" +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":3}}` + "\n\n"
	if out := filtered(t, NewChat(Defaults()), response, 50); out != want {
		t.Fatalf("got\n%s\nwant\n%s", out, want)
	}
}

func TestAnEventOfWhichNothingIsLeftGoesNowhere(t *testing.T) {
	events := fake.ChatEvents("x", []string{"<|channel|>final<|message|>", "Yes.", "<|return|>"}, "stop")
	out := filtered(t, NewChat(Defaults()), strings.Join(events, ""), 1000)
	if want := events[0] + events[2] + events[4] + events[5] + events[6]; out != want {
		t.Fatalf("got\n%s\nwant\n%s", out, want)
	}
}

func TestFinishReasons(t *testing.T) {
	call := "<|channel|>commentary to=functions.tide<|message|>{\"a\":1}<|call|>"
	cut := "<|start|>assistant<|channel|>commentary to=functions.tide<|message|>{\"a\":"
	for _, row := range []struct{ text, upstream, want string }{
		{call, "stop", "tool_calls"}, {call, "length", "length"}, {call, "content_filter", "content_filter"},
		{call + cut, "stop", "stop"}, {call + cut, "length", "length"}, {cut, "tool_calls", "stop"},
		{call, "tool_calls", "tool_calls"}, {"Hi.", "stop", "stop"}, {"Hi.", "tool_calls", "tool_calls"},
		{"<|channel|>final<|message|>Yes.", "stop", "stop"},
	} {
		streamed, err := fake.CollectChat(strings.NewReader(filtered(t, NewChat(Defaults()),
			strings.Join(fake.ChatEvents("x", fake.Pieces(row.text, 5), row.upstream), ""), 99)))
		if err != nil || streamed.Reason != row.want {
			t.Errorf("%q, %s: %q %v", row.text, row.upstream, streamed.Reason, err)
		}
		body, _ := ChatBody([]byte(fake.ChatBody("x", row.text, row.upstream)), Defaults())
		whole, err := fake.CollectBody(body)
		if err != nil || whole.Reason != row.want {
			t.Errorf("%q, %s, whole: %q %v", row.text, row.upstream, whole.Reason, err)
		}
		for i := range whole.Calls {
			if whole.Calls[i].ID != streamed.Calls[i].ID {
				t.Error("a streamed call has another id")
			}
		}
	}
}

// Every choice has a parser of its own, and one that waits keeps the order.
func TestChoices(t *testing.T) {
	texts := []string{"<|channel|>final<|message|>Zero.", "plain < one", "<|channel|>analysis<|message|>Two.<|end|>"}
	var response strings.Builder
	at := [3]int{}
	for turn := range 60 {
		choice := turn % 3
		text := texts[choice]
		next := min(at[choice]+2+choice, len(text))
		if at[choice] < next {
			response.WriteString(`data: {"id":"x","choices":[{"index":` + string(rune('0'+choice)) + `,"delta":{"content":` +
				quote(text[at[choice]:next]) + "}}]}\n\n")
		}
		at[choice] = next
	}
	f := NewChat(Defaults())
	out := filtered(t, f, response.String(), 40)
	for choice, want := range []string{"Zero.", "plain < one", "Two."} {
		var only strings.Builder
		for _, event := range strings.SplitAfter(out, "\n\n") {
			if strings.Contains(event, `"index":`+string(rune('0'+choice))) {
				only.WriteString(event)
			}
		}
		got, err := fake.CollectChat(strings.NewReader(only.String()))
		if err != nil || got.Content+got.Reasoning != want {
			t.Errorf("choice %d: %q %v", choice, got.Content+got.Reasoning, err)
		}
	}
	if found := f.Summary(); found.Split != 2 || found.Plain != 1 || found.Bytes.Final != 5 {
		t.Errorf("%+v", found)
	}
}

func TestTwoChoicesInOneEvent(t *testing.T) {
	response := `data: {"choices":[{"index":0,"delta":{"content":"<|channel|>final<|message|>A"}},` +
		`{"index":1,"delta":{"content":"b"}}]}` + "\n\n"
	want := `data: {"choices":[{"index":0,"delta":{"content":"A"}},{"index":1,"delta":{"content":"b"}}]}` + "\n\n"
	if out := filtered(t, NewChat(Defaults()), response, 1000); out != want {
		t.Fatal(out)
	}
}

// Whatever else is in its events, a choice says what it says alone, though one may wait for another.
func TestChoicesThatShareTheirEvents(t *testing.T) {
	texts := []string{"a <|channel|>final<|message|>b <", "x <|y <", "<|channel|>analysis<|message|>Hm.<|end|>",
		"a <|channel|>final<|message|>b<|message|>", "plain"}
	for _, settings := range underEachPolicy() {
		for size := 1; size < 30; size++ {
			together := heard(filtered(t, NewChat(settings), inOneEvent(size, texts...), 1000))
			for i, text := range texts {
				alone := heard(filtered(t, NewChat(settings), inOneEvent(size, text), 1000))
				if together[i] != alone[0] {
					t.Errorf("%s by %d: %q, alone %q", text, size, together[i], alone[0])
				}
			}
		}
	}
}

// inOneEvent has a piece of each text in each event.
func inOneEvent(size int, texts ...string) string {
	var response strings.Builder
	for at := 0; at < 50; at += size {
		var choices []string
		for i, text := range texts {
			piece := quote(text[min(at, len(text)):min(at+size, len(text))])
			choices = append(choices, `{"index":`+strconv.Itoa(i)+`,"delta":{"content":`+piece+"}}")
		}
		response.WriteString(`data: {"choices":[` + strings.Join(choices, ",") + "]}\n\n")
	}
	return response.String()
}

// heard is what the choices of a response say.
func heard(response string) map[int][2]string {
	all := map[int][2]string{}
	for event := range strings.SplitSeq(response, "\n\n") {
		for _, choice := range gjson.Get(strings.TrimPrefix(event, "data: "), "choices").Array() {
			index := int(choice.Get("index").Int())
			one := all[index]
			one[0] += choice.Get("delta.content").Str
			one[1] += choice.Get("delta.reasoning_content").Str
			all[index] = one
		}
	}
	return all
}

// A choice without an index has its place for one; with one that is none nothing is known of it.
func TestIndexes(t *testing.T) {
	const text = `"<|channel|>commentary to=functions.a<|message|>{}<|call|>"`
	for _, row := range []struct {
		member string
		index  int
		none   bool
	}{
		{member: ``, index: 1}, {member: `"index":null,`, index: 1},
		{member: `"index":2,`, index: 2}, {member: `"index":2.0,`, none: true}, {member: `"index":2e0,`, none: true},
		{member: `"index":"2",`, none: true}, {member: `"index":-1,`, none: true}, {member: `"index":-0,`, none: true},
		{member: `"index":9007199254740993,`, index: 9007199254740993},
		{member: `"index":18446744073709551616,`, none: true}, {member: `"index":18446744073709551618,`, none: true},
		{member: `"index":9223372036854775808,`, none: true}, {member: `"index":-9223372036854775809,`, none: true},
		{member: `"index":1e30,`, none: true}, {member: `"index":1e999,`, none: true}, {member: `"index":1.5,`, none: true},
		{member: `"index":true,`, none: true}, {member: `"index":false,`, none: true}, {member: `"index":"",`, none: true},
		{member: `"index":"x",`, none: true}, {member: `"index":{},`, none: true}, {member: `"index":[2],`, none: true},
	} {
		event := `data: {"id":"x","choices":[{"index":7},{` + row.member + `"delta":{"content":` + text + "}}]}\n\n"
		body := `{"id":"x","choices":[{"index":7,"message":{}},{` + row.member + `"message":{"content":` + text + `}}]}`
		f := NewChat(Defaults())
		streamed := filtered(t, f, event, 1000)
		whole, found := ChatBody([]byte(body), Defaults())
		if row.none {
			if streamed != event || f.Summary().Unreadable != 1 || string(whole) != body || found.Unreadable != 1 {
				t.Errorf("%s\n%s\n%s", row.member, streamed, whole)
			}
			continue
		}
		id := callID(`"x"`+"\n", row.index, 0)
		if !strings.Contains(streamed, id) || !strings.Contains(string(whole), id) || f.choices[row.index] == nil {
			t.Errorf("%s\n%s\n%s", row.member, streamed, whole)
		}
	}
}

// The last event may have no delta, and still has to say what was held back.
func TestAnEventWithoutDelta(t *testing.T) {
	call := `data: {"id":"x","choices":[{"delta":{"content":"<|channel|>commentary to=functions.a<|message|>{}<|call|>` +
		`<|channel|>final<|message|>b <"}}]}` + "\n\n"
	end := `data: {"choices":[{"index":0, "finish_reason":"stop"}], "x":1}` + "\n\n"
	out := filtered(t, NewChat(Defaults()), call+end, 1000)
	want := `data: {"choices":[{"index":0,"finish_reason":"tool_calls","delta":{"content":"<"}}], "x":1}` + "\n\n"
	if !strings.HasSuffix(out, want) {
		t.Fatal(out)
	}
}

func TestDataOnSeveralLines(t *testing.T) {
	response := "event: x\ndata: {\"choices\":[{\"index\":0,\ndata:\"delta\":{\"content\":\"<|channel|>final<|message|>A\"}}]}\nid: 7\n\n"
	want := "event: x\ndata: {\"choices\":[{\"index\":0, \"delta\":{\"content\":\"A\"}}]}\nid: 7\n\n"
	if out := filtered(t, NewChat(Defaults()), response, 1000); out != want {
		t.Fatalf("%q", out)
	}
}

func TestManyLinesOfDataAreCopiedOnce(t *testing.T) {
	for _, line := range []string{"data\n", "data:\n", "data: {}\n", "data: \r\n", "id: 7\rdata:x\r"} {
		event := []byte("data: [\n" + strings.Repeat(line, 10_000) + "data: ]\n\n")
		was := bytes.Clone(event)
		copies := testing.AllocsPerRun(1, func() { eventData(event) })
		if copies > 100 || !bytes.Equal(event, was) {
			t.Errorf("%q: %v copies", line, copies)
		}
	}
}

// A stream that breaks off in an event, and in a call.
func TestStreamsThatBreakOff(t *testing.T) {
	response := `data: {"choices":[{"index":0,"delta":{"content":"<|channel|>commentary to=functions.a<|message|>{\"b\":<|"}}]}`
	got, err := fake.CollectChat(strings.NewReader(filtered(t, NewChat(Defaults()), response, 1000)))
	if err != nil || len(got.Calls) != 1 || got.Calls[0].Arguments != `{"b":<|` || got.Reason != "" {
		t.Fatal(got, err)
	}
}

// A client reads no further than Ollama's last line, whatever else is in it, or than an error.
func TestNothingComesBehindALastLineWithoutAMessage(t *testing.T) {
	for _, transcript := range transcripts(t) {
		lines := fake.OllamaLines(fake.Pieces(transcript.Text, 9))
		said := strings.Join(lines[:len(lines)-1], "")
		for _, settings := range underEachPolicy() {
			usual, err := fake.CollectOllama(strings.NewReader(filtered(t, NewOllama(settings), strings.Join(lines, ""), 100)))
			if err != nil {
				t.Fatal(err)
			}
			for _, last := range []string{`{"done":true,"done_reason":"stop"}` + "\n",
				`{"model":"m","message":null,"done_reason":"stop","done":true,"eval_count":7}` + "\r\n",
				`{"done":true,"message":"<|end|>","done_reason":"stop"}`, `{"error":"out of memory"}` + "\n"} {
				out := filtered(t, NewOllama(settings), said+last, 100)
				rest, ok := strings.CutSuffix(out, last)
				got, err := fake.CollectOllama(strings.NewReader(rest))
				got.Done, got.Reason = true, "stop"
				if !ok || err != nil || !reflect.DeepEqual(got, usual) {
					t.Fatalf("%s, %s: %v\n got %+v\nwant %+v", transcript.Name, last, err, got, usual)
				}
			}
		}
	}
}

// An OpenAI client reads no further than an error.
func TestNothingComesBehindAnError(t *testing.T) {
	for _, transcript := range transcripts(t) {
		events := fake.ChatEvents("x", fake.Pieces(transcript.Text, 9), "stop")
		said := strings.Join(events[:len(events)-3], "")
		for _, settings := range underEachPolicy() {
			usual, err := fake.CollectChat(strings.NewReader(filtered(t, NewChat(settings), strings.Join(events, ""), 100)))
			if err != nil {
				t.Fatal(err)
			}
			for _, failure := range []string{`data: {"error":{"message":"out of memory"}}` + "\n\n",
				`data: {"choices":null,"error":"busy"}` + "\n\n" + "data: [DONE]\n\n"} {
				out := filtered(t, NewChat(settings), said+failure, 100)
				rest, ok := strings.CutSuffix(out, failure)
				got, err := fake.CollectChat(strings.NewReader(rest))
				for i := range got.Calls {
					got.Calls[i].ID = usual.Calls[i].ID
				}
				got.Done, got.Reason = true, usual.Reason
				if !ok || err != nil || !reflect.DeepEqual(got, usual) {
					t.Fatalf("%s, %s: %v\n got %+v\nwant %+v", transcript.Name, failure, err, got, usual)
				}
			}
		}
	}
}

func TestNoErrorEndsNothing(t *testing.T) {
	events := fake.ChatEvents("x", []string{"<|channel|>final<|mess", "age|>Noon."}, "stop")
	for _, nothing := range []string{`{"error":null}`, `{"error":{}}`, `{"warning":"slow"}`} {
		out := filtered(t, NewChat(Defaults()), events[0]+events[1]+"data: "+nothing+"\n\n"+strings.Join(events[2:], ""), 100)
		if !strings.Contains(out, `"Noon."`) || strings.Contains(out, "<|") {
			t.Error(out)
		}
	}
}

func TestALastLineWithoutAMessageDoesNotWait(t *testing.T) {
	f := NewOllama(Defaults())
	defer f.Close()
	response := fake.OllamaLines([]string{"Noon <"})[0] + `{"done":true}` + "\n"
	if out := string(f.Push(nil, []byte(response))); out != response {
		t.Fatal(out)
	}
}

func TestALineInBetweenMayHaveNoMessage(t *testing.T) {
	lines := fake.OllamaLines([]string{"<|channel|>final<|mess", "age|>Noon."})
	for _, between := range []string{`{"done":false}`, `{"done":"true"}`, `{"message":null,"done":1}`, `{"message":{},"done":1}`} {
		out := filtered(t, NewOllama(Defaults()), lines[0]+between+"\n"+lines[1]+lines[2], 100)
		if !strings.Contains(out, `"Noon."`) || strings.Contains(out, "<|") {
			t.Error(out)
		}
	}
}

// The verbatim policy may also fail at the very end, when nothing was said that is to be taken back.
func TestVerbatimFailsAtTheEnd(t *testing.T) {
	settings := Defaults()
	settings.Parser = harmony.Options{}
	for _, text := range []string{"<|channel|>final", "<|channel|>analysis<|message|>Hm."} {
		response := strings.Join(fake.ChatEvents("x", fake.Pieces(text, 4), "stop"), "")
		f := NewChat(settings)
		if out := filtered(t, f, response, 50); out != response {
			t.Fatalf("changed:\n%s", out)
		}
		if found := f.Summary(); found.Failed != 1 {
			t.Fatalf("%+v", found)
		}
		body := fake.ChatBody("x", text, "stop")
		if got, found := ChatBody([]byte(body), settings); string(got) != body || found.Failed != 1 {
			t.Fatalf("%s %+v", got, found)
		}
	}
}

func TestChoicesOfABody(t *testing.T) {
	body := `{"choices":[{"index":0,"message":{"content":"<|channel|>final<|message|>A"}},{"message":{"content":"b"}},` +
		`{"message":{"content":"<|channel|>final<|message|>C"}}]}`
	want := `{"choices":[{"index":0,"message":{"content":"A"}},{"message":{"content":"b"}},{"message":{"content":"C"}}]}`
	got, found := ChatBody([]byte(body), Defaults())
	if string(got) != want || found.Split != 2 || found.Plain != 1 {
		t.Fatalf("%s %+v", got, found)
	}
	settings := Defaults()
	settings.MaxChoices = 2
	got, found = ChatBody([]byte(body), settings)
	if !strings.Contains(string(got), "<|channel|>final<|message|>C") || found.Limits["choices"] != 1 {
		t.Fatalf("%s %+v", got, found)
	}
}

func TestTextBehindTheEndPasses(t *testing.T) {
	settings := Defaults()
	settings.MaxTranscript = 40
	response := strings.Join(fake.ChatEvents("x", fake.Pieces("<|channel|>final<|message|>One two three four <|end|> five", 4), "stop"), "")
	f := NewChat(settings)
	got, err := fake.CollectChat(strings.NewReader(filtered(t, f, response, 1000)))
	if err != nil || got.Content != "One two three four <|end|> five" {
		t.Fatal(got, err)
	}
	if found := f.Summary(); found.Limits["transcript"] != 1 {
		t.Fatalf("%+v", found)
	}
}

// The text of an event whose reason changes, since calls have gone out before, is there once, as it was.
func TestTextWithAReasonBehindTheEndStays(t *testing.T) {
	const event = `data: {"choices":[{"index":0,"delta":{"content":%q},"finish_reason":%s}]}` + "\n\n"
	call := fmt.Sprintf(event, "<|channel|>commentary to=functions.f<|message|>{}<|call|>", "null")
	short := Defaults()
	short.MaxTranscript = 64
	for _, text := range []string{"More.", "<|end|> or so", ""} {
		last := fmt.Sprintf(event, text, `"stop"`)
		for between, settings := range map[string]Settings{fmt.Sprintf(event, "", `"stop"`): Defaults(), fmt.Sprintf(event, "Much.", "null"): short} {
			out := filtered(t, NewChat(settings), call+between+last, 1000)
			events := strings.Split(strings.TrimSpace(out), "\n\n")
			end := events[len(events)-1]
			if !strings.Contains(end, `"finish_reason":"tool_calls"`) || text != "" && strings.Count(out, `"content":"`+text+`"`) != 1 {
				t.Errorf("%q: %s", text, out)
			}
		}
	}
}

func TestNothingWaitsThatIsNoBeginningOfAByteOrderMark(t *testing.T) {
	for _, first := range []string{"\n", "\r\n", ":\n\n", "\n\n", mark} {
		f := NewChat(Defaults())
		if out := string(f.Push(nil, []byte(first))); out != first {
			t.Errorf("%q: %q", first, out)
		}
		f.Close()
	}
}

func TestLimits(t *testing.T) {
	settings := Defaults()
	settings.MaxEvent = 200
	big := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + strings.Repeat("<|end|>", 100) + "\"}}]}\n\n"
	small := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<|channel|>analysis<|message|>Hm. <\"}}]}\n\n"
	f := NewChat(settings)
	out := filtered(t, f, small+big+small, 64)
	if !strings.HasSuffix(out, big+small) || !strings.Contains(out, `"reasoning_content":"Hm. "`) ||
		!strings.Contains(out, `"reasoning_content":"<"`) {
		t.Fatal(out)
	}
	if found := f.Summary(); found.Limits["event"] != 1 {
		t.Fatalf("%+v", found)
	}
	settings = Defaults()
	settings.Parser, settings.MaxHeld = harmony.Options{}, 3*len(small)
	f = NewChat(settings)
	more := strings.Replace(small, "<|channel|>analysis<|message|>", "more and more and more and more", 1)
	all := small + more + more + more
	if out := string(f.Push(nil, []byte(all))); out != all {
		t.Fatal(out)
	}
	if found := f.Summary(); found.Limits["held"] != 1 || f.held != 0 {
		t.Fatalf("%+v", found)
	}
	f.Close()
	settings = Defaults()
	settings.MaxChoices = 1
	f = NewChat(settings)
	second := strings.Replace(small, `"index":0`, `"index":1`, 1)
	if out := filtered(t, f, second+small, 1000); !strings.Contains(out, small) {
		t.Fatal(out)
	}
	if found := f.Summary(); found.Limits["choices"] != 1 {
		t.Fatalf("%+v", found)
	}
}

func TestSummary(t *testing.T) {
	f := NewChat(Defaults())
	text := "<|channel|>analysis<|message|>Hm.<|end|><|end|><|start|>assistant<|channel|>commentary to=functions.tide" +
		"<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>Yes."
	filtered(t, f, strings.Join(fake.ChatEvents("x", []string{text}, "stop"), ""), 1000)
	found := f.Summary()
	if found.Split != 1 || found.Deviations[harmony.DeviationStrayTerminator] != 1 || found.Calls[harmony.CallComplete] != 1 ||
		found.Bytes != (harmony.Bytes{Analysis: 3, Commentary: 2, Final: 4}) {
		t.Fatalf("%+v", found)
	}
}

func TestCloseFreesAll(t *testing.T) {
	settings := Defaults()
	settings.Detect = true
	f := NewChat(settings)
	f.Push(nil, []byte(`data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"<"}}]}`+"\n\n"))
	choices := f.choices
	if len(choices) != 2 {
		t.Fatal(len(choices))
	}
	f.Close()
	for _, choice := range choices {
		if choice.parser != nil {
			t.Error("a parser is left")
		}
		for _, detector := range choice.leaks.detectors {
			if _, err := detector.Push(nil); err != harmony.ErrClosed {
				t.Error("a detector is left", err)
			}
		}
	}
}

func TestLeaks(t *testing.T) {
	settings := Defaults()
	settings.Detect = true
	leak := "Done. analysis to=functions.edit code 大发"
	for name, text := range map[string]string{"plain": leak, "split": "<|channel|>final<|message|>" + leak + "<|return|>"} {
		f := NewChat(settings)
		filteredOpen(t, f, strings.Join(fake.ChatEvents("x", fake.Pieces(text, 4), "stop"), ""))
		found := f.Summary()
		f.Close()
		if len(found.Leaks) != 1 || found.Leaks[0] != (Leak{Surface: harmony.SurfaceText, Label: "M+C+S", Count: 1, Offset: 15}) {
			t.Errorf("%s: %+v", name, found.Leaks)
		}
		_, found = ChatBody([]byte(fake.ChatBody("x", text, "stop")), settings)
		if len(found.Leaks) != 1 || found.Leaks[0].Label != "M+C+S" {
			t.Errorf("%s, whole: %+v", name, found.Leaks)
		}
	}
	f := NewChat(settings)
	filteredOpen(t, f, `data: {"choices":[{"index":0,"delta":{"reasoning_content":`+quote(leak)+"}}]}\n\n")
	found := f.Summary()
	f.Close()
	if len(found.Leaks) != 1 || found.Leaks[0].Surface != harmony.SurfaceThinking {
		t.Errorf("structured: %+v", found.Leaks)
	}
}

func filteredOpen(t *testing.T, f *Filter, response string) {
	t.Helper()
	out := f.Finish(f.Push(nil, []byte(response)))
	if len(out) == 0 {
		t.Fatal("nothing")
	}
}

func TestBodiesThatStay(t *testing.T) {
	for _, body := range []string{"", "no", "{}", `{"choices":[]}`, `{"choices":[7]}`, `{"choices":[{"message":{"content":[]}}]}`,
		fake.ChatBody("x", "plain <| text", "stop"), `{"choices":[{"message":{"content":"<|channel|>final<|message|>x","reasoning":"y"}}]}`} {
		if got, _ := ChatBody([]byte(body), Defaults()); string(got) != body {
			t.Errorf("got %s, want %s", got, body)
		}
	}
	for _, body := range []string{"", "{}", fake.OllamaBody("plain"), `{"message":{"content":7}}`} {
		if got, _ := OllamaBody([]byte(body), Defaults()); string(got) != body {
			t.Errorf("got %s, want %s", got, body)
		}
	}
}

// mayHoldMarker: the characters that every marker has are there in their order, be it in several events, or an escape is.
func mayHoldMarker(response []byte) bool {
	rest, ok := response, true
	for _, c := range []byte("<||>") {
		if ok {
			_, rest, ok = bytes.Cut(rest, []byte{c})
		}
	}
	return ok || bytes.Contains(response, []byte(`\u`))
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte(strings.Join(fake.ChatEvents("x", []string{"<|channel|>final<|message|>Yes."}, "stop"), "")), uint8(3), true, false)
	f.Add([]byte(strings.Join(fake.OllamaLines([]string{"<|channel|>final", "<|message|>Yes."}), "")), uint8(9), false, true)
	f.Add([]byte(mark+fake.ChatEvents("x", []string{"a <"}, "stop")[1]), uint8(0), true, false)
	f.Add([]byte(fake.OllamaLines([]string{"a <"})[0]+`{"done":true}`+"\n"+fake.OllamaLines([]string{"b"})[0]), uint8(9), false, false)
	f.Add([]byte(strings.Join(fake.ChatEvents("x", []string{"<", "|end|>"}, "stop"), "")), uint8(9), true, true)
	for i, transcript := range transcripts(f) {
		pieces := fake.Pieces(transcript.Text[:min(600, len(transcript.Text))], 9)
		f.Add([]byte(strings.Join(fake.ChatEvents("x", pieces, "stop"), "")), uint8(3*i), true, i%2 == 0)
		f.Add([]byte(strings.Join(fake.OllamaLines(pieces), "")), uint8(3*i), false, i%2 == 1)
	}
	f.Fuzz(func(t *testing.T, response []byte, size uint8, isChat, verbatim bool) {
		make := NewOllama
		if isChat {
			make = NewChat
		}
		settings := Defaults()
		if verbatim {
			settings.Parser.Policy = harmony.PolicyVerbatim
		}
		once := func(most int) []byte {
			filter := make(settings)
			defer filter.Close()
			var out []byte
			for rest := response; len(rest) > 0; {
				n := min(most, len(rest))
				out = filter.Push(out, rest[:n])
				rest = rest[n:]
			}
			return filter.Finish(out)
		}
		whole := once(len(response) + 1)
		if cut := once(int(size) + 1); !bytes.Equal(cut, whole) {
			t.Fatalf("the cut matters:\n%q\n%q", cut, whole)
		}
		// Under verbatim a comment does not wait behind text that does.
		if !verbatim && !mayHoldMarker(response) && !bytes.Equal(whole, response) {
			t.Fatalf("changed:\n%q\n%q", response, whole)
		}
	})
}
