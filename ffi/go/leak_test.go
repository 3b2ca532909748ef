package harmony

import (
	"errors"
	"strings"
	"testing"
)

func newDetector(t *testing.T, surface Surface) *Detector {
	t.Helper()
	d, err := NewDetector(surface, NoEnd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestManySignals(t *testing.T) {
	text := strings.Repeat("one <|end|> ", 50)
	once, err := DetectLeak(text, SurfaceText, NoEnd)
	same(t, "error", err, nil)
	same(t, "signals", len(once), 50)
	same(t, "streamed", detect(t, newDetector(t, SurfaceText), []string{text}), once)
	index, signals, err := DetectMessageLeak([]Block{{Kind: BlockOther}, {Kind: BlockText, Text: text}})
	same(t, "block", index, 1)
	same(t, "signals of the block", signals, once)
	same(t, "error", err, nil)
}

func TestDetectorReset(t *testing.T) {
	d := newDetector(t, SurfaceText)
	first := detect(t, d, []string{"a <|end|>"})
	same(t, "detected", d.Detected(), true)
	_, err := d.Push([]byte("x"))
	same(t, "push after finish", err, error(ErrFinished))
	same(t, "reset", d.Reset(SurfaceThinking, NoEnd), nil)
	same(t, "detected", d.Detected(), false)
	same(t, "again", detect(t, d, []string{"a <|e", "nd|>"}), first)
	same(t, "reset to nothing", d.Reset(9, NoEnd), error(ErrArgument))
}

func TestParsedEndMayBeToldLater(t *testing.T) {
	arguments := "{\"a\":1}"
	d := newDetector(t, SurfaceToolArg)
	signals, err := d.Push([]byte(arguments + " to=functions.edit code"))
	same(t, "before", len(signals), 0)
	same(t, "error", err, nil)
	clone, err := d.Clone()
	same(t, "error", err, nil)
	defer clone.Close()
	_, err = d.SetParsedEnd(NoEnd)
	same(t, "no end", err, error(ErrArgument))
	told, err := d.SetParsedEnd(len(arguments))
	same(t, "error", err, nil)
	all := append([]Signal(nil), told...)
	rest, err := d.Finish()
	same(t, "error", err, nil)
	all = append(all, rest...)
	same(t, "signals", len(all), 1)
	same(t, "where", all[0].Start, len(arguments)+1)
	without, err := clone.Finish()
	same(t, "the clone was not told", len(without), 0)
	same(t, "error", err, nil)
}

func TestLeakHandlesAfterClose(t *testing.T) {
	d := newDetector(t, SurfaceText)
	r, err := NewRegistry()
	same(t, "error", err, nil)
	for range 2 {
		same(t, "Close", errors.Join(d.Close(), r.Close()), nil)
	}
	_, push := d.Push([]byte("x"))
	_, end := d.SetParsedEnd(1)
	_, finish := d.Finish()
	_, clone := d.Clone()
	_, recover := r.Recover("edit", "@x", 0)
	_, block := r.RecoverBlock(&Block{}, 0)
	for _, err := range []error{push, end, finish, clone, d.Reset(SurfaceText, NoEnd), recover, block,
		r.Add("a", "", "")} {
		same(t, "after Close", errors.Is(err, ErrClosed), true)
	}
	same(t, "detected", d.Detected(), false)
}

func TestRegistryOfOnesOwn(t *testing.T) {
	r, err := NewRegistry()
	same(t, "error", err, nil)
	defer r.Close()
	input := "fine line\nto=functions.shell code"
	start := strings.Index(input, "to=")
	_, err = r.Recover("shell", input, start)
	same(t, "unknown tool", err, error(ErrNone))
	same(t, "Add", r.Add("shell", "fine", "\nEOF"), nil)
	recovery, err := r.Recover("shell", input, start)
	same(t, "error", err, nil)
	same(t, "recovery", recovery, Recovery{Clean: "fine line\nEOF", Removed: "to=functions.shell code"})
	_, err = r.Recover("shell", input, 1000)
	same(t, "no place", err, error(ErrArgument))
	same(t, "bytes", r.Add("\xff", "", ""), error(ErrUTF8))
	same(t, "continuation", Continuation() != "", true)
}

func TestLeakTarget(t *testing.T) {
	same(t, "codex", IsLeakTarget("openai-codex"), true)
	same(t, "other", IsLeakTarget("someone"), false)
}

func TestBlockErrors(t *testing.T) {
	bad := Block{Kind: 9, Text: "x"}
	_, _, err := DetectMessageLeak([]Block{{}, bad})
	same(t, "kind", err, error(ErrArgument))
	_, err = bad.Searched()
	same(t, "kind", err, error(ErrArgument))
	_, _, err = DetectMessageLeak([]Block{{Kind: BlockText, Text: "\xff"}})
	same(t, "bytes", err, error(ErrUTF8))
	_, err = AuditOf("\xff")
	same(t, "bytes", err, error(ErrUTF8))
}

// What a tool was asked to write is none of ours where nobody knows its end.
func TestToolCallBlockHasNoEnd(t *testing.T) {
	block := ToolCallBlock("edit", `{"input":"Write to=functions.edit to route a call."}`)
	if index, signals, err := DetectMessageLeak([]Block{block}); index != 1 || len(signals) > 0 || err != nil {
		t.Error(index, signals, err)
	}
	block.ParsedEnd = 0
	if index, signals, err := DetectMessageLeak([]Block{block}); index != 0 || len(signals) != 1 || err != nil {
		t.Error(index, signals, err)
	}
}
