package harmony

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const weather = "<|channel|>analysis<|message|>Need the weather.<|end|><|start|>assistant<|channel|>commentary " +
	"to=functions.weather <|constrain|>json<|message|>{\"city\":\"Oslo\"}<|call|>"

// say writes an event in one line.
func say(event Event) string {
	parts := []string{event.Kind.String()}
	if len(event.Text) > 0 {
		parts = append(parts, string(event.Text))
	}
	if len(event.Recipient) > 0 {
		parts = append(parts, "to="+string(event.Recipient))
	}
	return strings.Join(parts, " ")
}

func sayAll(events []Event) []string {
	var all []string
	for _, event := range events {
		all = append(all, say(event))
	}
	return all
}

func TestOneChunk(t *testing.T) {
	p := newParser(t, Options{})
	events, err := p.Push([]byte(weather))
	same(t, "error", err, nil)
	same(t, "events", sayAll(events), []string{
		"message_start", "reasoning Need the weather.", "message_end",
		"message_start to=functions.weather", "tool_call_start weather to=functions.weather",
		`tool_call_arguments {"city":"Oslo"}`, `tool_call_end {"city":"Oslo"}`, "message_end",
	})
	same(t, "channel", events[0].Channel, ChannelAnalysis)
	same(t, "status", events[6].Status, CallComplete)
	same(t, "end", events[7].End, EndCall)
	same(t, "offset", events[1].Offset, strings.Index(weather, "Need"))
	same(t, "position", events[7].Position, len(weather))
	finish, err := p.Finish()
	same(t, "finish", sayAll(finish), []string{"finish"})
	same(t, "last end", finish[0].End, EndCall)
	same(t, "error", err, nil)
}

func TestTextOfEarlierChunksIsCopied(t *testing.T) {
	p := newParser(t, Options{})
	head, tail := weather[:len(weather)-12], weather[len(weather)-12:]
	if _, err := p.PushString(head); err != nil {
		t.Fatal(err)
	}
	events, err := p.PushString(tail)
	same(t, "error", err, nil)
	kept := slices.Clone(events)
	same(t, "events", sayAll(kept), []string{`tool_call_arguments lo"}`, `tool_call_end {"city":"Oslo"}`,
		"message_end"})
	// What was lent out is Go memory: reading it late gives old bytes at worst, never freed ones.
	p.Close()
	same(t, "after Close", len(sayAll(kept)), 3)
}

func TestMoreEventsThanFitInOneCall(t *testing.T) {
	const count = 100
	message := "<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>"
	p := newParser(t, Options{})
	events, err := p.PushString(strings.Repeat(message, count) + "<|start|>assistant<|channel|>final<|message|>Yes.")
	same(t, "error", err, nil)
	same(t, "events", len(events), 3*count+2)
	same(t, "last", say(events[len(events)-1]), "content Yes.")
	var collector Collector
	collector.Add(events...)
	same(t, "reasoning", collector.Parsed().Reasoning, strings.Repeat("Hm.", count))
}

func TestRollback(t *testing.T) {
	p := newParser(t, Options{})
	text := "<|channel|>final<|message|>Yes.<|message|>No."
	events, err := p.PushString(text)
	same(t, "error", err, nil)
	same(t, "events", sayAll(events), []string{"message_start", "content Yes.", "rollback", "content <|channel|>final<|message|>Yes.<|message|>",
		"content No."})
	finish, _ := p.Finish()
	same(t, "why", finish[0].Deviation.String(), "quoted_marker")
	summary, err := p.Summary()
	same(t, "error", err, nil)
	same(t, "failure", summary.Failure.Error(), "at byte 31: "+DeviationQuotedMarker.Message())
	same(t, "parse", parse(t, text, Options{}).Content, text)
}

func TestDeviation(t *testing.T) {
	p := newParser(t, Lenient())
	events, err := p.PushString("<|channel|>final<|message|>Yes.<|end|><|end|>No.")
	same(t, "error", err, nil)
	i := slices.IndexFunc(events, func(event Event) bool { return event.Kind == EventDeviation })
	if i < 0 {
		t.Fatal("no deviation")
	}
	same(t, "deviation", events[i].Deviation, DeviationStrayTerminator)
	same(t, "dropped", string(events[i].Text), "<|end|>")
	same(t, "offset", events[i].Offset, 38)
}

func TestErrorsChangeNothing(t *testing.T) {
	p := newParser(t, Options{MaxBytes: 10})
	_, err := p.PushString("plain text, too long")
	same(t, "limit", err, error(ErrLimit))
	_, err = p.PushControl(ControlEnd)
	same(t, "input", err, error(ErrInput))
	_, err = p.PushControl(99)
	same(t, "argument", err, error(ErrArgument))
	events, err := p.PushString("plain")
	same(t, "events", sayAll(events), []string{"content plain"})
	same(t, "error", err, nil)
	_, err = p.Finish()
	same(t, "error", err, nil)
	_, err = p.Finish()
	same(t, "finish twice", err, error(ErrFinished))
	_, err = p.PushString("x")
	same(t, "push after finish", err, error(ErrFinished))
	same(t, "transcript", string(p.Transcript()), "plain")
}

func TestOptionsThatMeanNothing(t *testing.T) {
	for _, options := range []Options{{Policy: 9}, {Routing: 9}, {Start: 9}, {Input: 9}} {
		_, err := NewParser(options)
		same(t, "NewParser", err, error(ErrArgument))
		_, err = Parse("x", options)
		same(t, "Parse", err, error(ErrArgument))
	}
	_, err := Parse("x", Options{Input: InputTokens})
	same(t, "Parse with tokens", err, error(ErrInput))
	_, err = DetectLeak("x", 9, NoEnd)
	same(t, "DetectLeak", err, error(ErrArgument))
	_, err = NewDetector(9, NoEnd)
	same(t, "NewDetector", err, error(ErrArgument))
}

func TestUseAfterClose(t *testing.T) {
	p := newParser(t, Options{})
	_, err := p.PushString(weather)
	same(t, "error", err, nil)
	for range 2 {
		same(t, "Close", p.Close(), nil)
	}
	_, push := p.Push([]byte("x"))
	_, pushString := p.PushString("x")
	_, control := p.PushControl(ControlEnd)
	_, finish := p.Finish()
	_, summary := p.Summary()
	_, clone := p.Clone()
	for _, err := range []error{push, pushString, control, finish, summary, clone, p.Reset()} {
		same(t, "after Close", errors.Is(err, ErrClosed), true)
	}
	same(t, "held", p.Held(), 0)
	same(t, "transcript", len(p.Transcript()), 0)
}

func TestCloneGoesOnByItself(t *testing.T) {
	p := newParser(t, Options{})
	if _, err := p.PushString("<|channel|>final<|message|>One <|en"); err != nil {
		t.Fatal(err)
	}
	clone, err := p.Clone()
	same(t, "error", err, nil)
	defer clone.Close()
	same(t, "held", clone.Held(), 4)
	a, _ := p.PushString("d|>")
	same(t, "original", len(a), 0)
	b, _ := clone.PushString("try.")
	same(t, "clone", sayAll(b), []string{"content <|entry."})
	p.Close()
	last, err := clone.Finish()
	same(t, "clone ends", sayAll(last), []string{"message_end", "finish"})
	same(t, "error", err, nil)
}

func TestResetMakesItNew(t *testing.T) {
	p := newParser(t, Lenient())
	first := stream(t, p, pieces(weather, 3))
	same(t, "reset", p.Reset(), nil)
	same(t, "held", p.Held(), 0)
	same(t, "again", stream(t, p, pieces(weather, 5)), first)
}

func TestHeldAndSummary(t *testing.T) {
	p := newParser(t, Options{})
	events, _ := p.PushString("<|channel|>analysis<|message|>Grüße <|")
	same(t, "events", sayAll(events), []string{"message_start", "reasoning Grüße "})
	same(t, "held", p.Held(), 2)
	summary, err := p.Summary()
	same(t, "error", err, nil)
	same(t, "bytes", summary.Bytes, Bytes{Analysis: len("Grüße ")})
	same(t, "no failure yet", summary.Failure == nil, true)
}

func TestBytesThatAreNoUTF8PassUnchanged(t *testing.T) {
	text := "<|channel|>final<|message|>a\xff\xfeb\xe2\x82"
	for size := range 4 {
		got := stream(t, newParser(t, Options{}), pieces(text, size+1))
		same(t, "content", got.Content, "a\xff\xfeb\xe2\x82")
	}
}

func TestEmptyChunks(t *testing.T) {
	p := newParser(t, Options{})
	for _, chunk := range [][]byte{nil, {}, []byte("x")[:0]} {
		events, err := p.Push(chunk)
		same(t, "events", len(events), 0)
		same(t, "error", err, nil)
	}
	same(t, "whole", parse(t, "", Options{}).Content, "")
}

func TestAll(t *testing.T) {
	p := newParser(t, Options{})
	chunks := [][]byte{[]byte(weather[:30]), []byte(weather[30:])}
	var collector Collector
	for event, err := range p.All(slices.Values(chunks)) {
		same(t, "error", err, nil)
		collector.Add(event)
	}
	same(t, "calls", collector.Parsed().ToolCalls, parse(t, weather, Options{}).ToolCalls)
	seen := 0
	for _, err := range p.All(slices.Values(chunks)) {
		same(t, "finished", err, error(ErrFinished))
		seen++
	}
	same(t, "errors", seen, 1)
}

func TestAllStopsWithTheLoop(t *testing.T) {
	p := newParser(t, Options{})
	for event := range p.All(slices.Values([][]byte{[]byte(weather[:60]), []byte("never pushed")})) {
		same(t, "first", event.Kind, EventMessageStart)
		break
	}
	same(t, "transcript", string(p.Transcript()), weather[:60])
}

func TestCollectorTakesAnyEvents(t *testing.T) {
	var collector Collector
	collector.Add(Event{Kind: EventToolCallArguments, Text: []byte("x")}, Event{Kind: EventToolCallEnd})
	same(t, "nothing", collector.Parsed(), Parsed{})
}
