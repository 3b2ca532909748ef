package harmony

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"
)

type leakSignal struct {
	Classes    []string
	Start, End int
	Text       string
}

type detection struct {
	Signals      []leakSignal
	Surface      string
	ContentIndex int `json:"content_index"`
}

type leakRow struct {
	ID, Text, Surface string
	ParsedEnd         *int `json:"parsed_end"`
	Detection         *detection
	Label             string
}

// The vectors call surfaces by their older names.
func surfaceOf(t *testing.T, name string) Surface {
	t.Helper()
	switch name {
	case "assistant_text":
		return SurfaceText
	case "assistant_thinking":
		return SurfaceThinking
	case "tool_arg":
		return SurfaceToolArg
	}
	t.Fatalf("no surface is called %q", name)
	return 0
}

func endOf(end *int) int {
	if end == nil {
		return NoEnd
	}
	return *end
}

// checkSignals compares signals, their classes by letters.
func checkSignals(t *testing.T, id, text string, got []Signal, want *detection) {
	t.Helper()
	var seen, wanted []leakSignal
	for _, signal := range got {
		seen = append(seen, leakSignal{letters(signal.Classes), signal.Start, signal.End, text[signal.Start:signal.End]})
	}
	if want != nil {
		wanted = want.Signals
	}
	same(t, id, seen, wanted)
}

func letters(classes Class) []string {
	var all []string
	for i, letter := range []string{"H", "M", "C", "G", "S", "B", "R", "T"} {
		if classes&(1<<i) != 0 {
			all = append(all, letter)
		}
	}
	return all
}

func TestLeakVectors(t *testing.T) {
	all := rows[leakRow](t, "leak-cases.jsonl", 248)
	all = append(all, rows[leakRow](t, "leak-random.jsonl", 3000)...)
	all = append(all, rows[leakRow](t, "leak-surrogate-edges.jsonl", 272)...)
	rng := seeded()
	for _, row := range all {
		surface, end := surfaceOf(t, row.Surface), endOf(row.ParsedEnd)
		once, err := DetectLeak(row.Text, surface, end)
		if err != nil {
			t.Fatal(err)
		}
		checkSignals(t, row.ID, row.Text, once, row.Detection)
		same(t, row.ID, Label(once), row.Label)
		d, err := NewDetector(surface, end)
		if err != nil {
			t.Fatal(err)
		}
		same(t, row.ID, detect(t, d, randomly(rng, row.Text)), once)
		same(t, row.ID, d.Detected(), len(once) > 0)
		d.Close()
	}
}

// detect pushes pieces and copies the signals.
func detect(t *testing.T, d *Detector, pieces []string) []Signal {
	t.Helper()
	var all []Signal
	for _, piece := range pieces {
		signals, err := d.Push([]byte(piece))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, signals...)
	}
	signals, err := d.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return append(all, signals...)
}

type recovered struct{ Clean, Removed string }

type audit struct {
	Action, Signal string
	RemovedLen     int    `json:"removed_len"`
	RemovedSHA8    string `json:"removed_sha8"`
	RemovedPreview string `json:"removed_preview"`
}

type recoveryRow struct {
	ID, Tool, Input, Surface string
	ParsedEnd                *int `json:"parsed_end"`
	Detection                *detection
	Recovered                *recovered
	Removed                  *string
	Audit                    *audit
}

func TestRecoveryVectors(t *testing.T) {
	registry, err := DefaultRegistry()
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	for _, row := range rows[recoveryRow](t, "leak-recovery.jsonl", 329) {
		surface := surfaceOf(t, row.Surface)
		signals, err := DetectLeak(row.Input, surface, endOf(row.ParsedEnd))
		if err != nil {
			t.Fatal(err)
		}
		checkSignals(t, row.ID, row.Input, signals, row.Detection)
		if len(signals) == 0 {
			same(t, row.ID, row.Audit == nil, true)
			continue
		}
		checkRecovery(t, row, surface, registry, signals)
	}
}

func checkRecovery(t *testing.T, row recoveryRow, surface Surface, registry *Registry, signals []Signal) {
	t.Helper()
	action, removed := ActionAbortRetry, row.Input[signals[0].Start:]
	var found *recovered
	if surface == SurfaceToolArg {
		recovery, err := registry.Recover(row.Tool, row.Input, signals[0].Start)
		if err == nil {
			action, removed = ActionTruncateResume, recovery.Removed
			found = &recovered{recovery.Clean, recovery.Removed}
		} else if !errors.Is(err, ErrNone) {
			t.Fatal(err)
		}
	}
	same(t, row.ID, found, row.Recovered)
	same(t, row.ID, removed, *row.Removed)
	facts, err := AuditOf(removed)
	if err != nil {
		t.Fatal(err)
	}
	same(t, row.ID, facts.RemovedBytes, len(removed))
	same(t, row.ID, audit{action.String(), Label(signals), facts.RemovedLength, facts.RemovedSHA8,
		facts.RemovedPreview}, *row.Audit)
}

type auditRow struct {
	ID, Removed string
	audit
}

func TestAuditVectors(t *testing.T) {
	for _, row := range rows[auditRow](t, "leak-audit.jsonl", 337) {
		facts, err := AuditOf(row.Removed)
		if err != nil {
			t.Fatal(err)
		}
		same(t, row.ID, audit{RemovedLen: facts.RemovedLength, RemovedSHA8: facts.RemovedSHA8,
			RemovedPreview: facts.RemovedPreview}, row.audit)
	}
}

type messageRow struct {
	ID     string
	Blocks []struct {
		Type, Text, Thinking, Name string
		Arguments                  json.RawMessage
	}
	ParseEnds map[string]int `json:"parse_ends"`
	Detection *detection
	Label     string
	Recovered *recovered
	Extracted string
}

func (r *messageRow) blocks() []Block {
	all := make([]Block, len(r.Blocks))
	for i, block := range r.Blocks {
		switch block.Type {
		case "text":
			all[i] = Block{Kind: BlockText, Text: block.Text}
		case "thinking":
			all[i] = Block{Kind: BlockThinking, Text: block.Thinking}
		case "toolCall":
			all[i] = ToolCallBlock(block.Name, string(block.Arguments))
			if end, ok := r.ParseEnds[strconv.Itoa(i)]; ok {
				all[i].ParsedEnd = end
			}
		}
	}
	return all
}

func TestMessageVectors(t *testing.T) {
	registry, err := DefaultRegistry()
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	for _, row := range rows[messageRow](t, "leak-messages.jsonl", 171) {
		blocks := row.blocks()
		index, signals, err := DetectMessageLeak(blocks)
		if err != nil {
			t.Fatal(err)
		}
		if row.Detection == nil {
			same(t, row.ID, index, len(blocks))
			continue
		}
		same(t, row.ID, index, row.Detection.ContentIndex)
		checkMessage(t, row, &blocks[index], registry, signals)
	}
}

func checkMessage(t *testing.T, row messageRow, block *Block, registry *Registry, signals []Signal) {
	t.Helper()
	text, err := block.Searched()
	if err != nil {
		t.Fatal(err)
	}
	checkSignals(t, row.ID, text, signals, row.Detection)
	same(t, row.ID, Label(signals), row.Label)
	same(t, row.ID, text[signals[0].Start:], row.Extracted)
	recovery, err := registry.RecoverBlock(block, signals[0].Start)
	if err != nil && !errors.Is(err, ErrNone) {
		t.Fatal(err)
	}
	same(t, row.ID, err == nil, row.Recovered != nil)
	if row.Recovered != nil {
		same(t, row.ID, recovered{recovery.Clean, recovery.Removed}, *row.Recovered)
	}
}
