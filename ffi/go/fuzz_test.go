package harmony

import (
	"testing"
)

// FuzzChunks pushes any text in any pieces, under any options, and compares with the whole text.
func FuzzChunks(f *testing.F) {
	for _, row := range rows[harmonyRow](f, "harmony-cases.jsonl", 489) {
		f.Add(row.Input, uint64(len(row.Input)), uint8(len(row.ID)))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, choice uint8) {
		options := Options{Policy: Policy(choice & 1), Routing: Routing(choice >> 1 & 1), Start: Start(choice >> 2 & 3)}
		once := parse(t, text, options)
		p := newParser(t, options)
		same(t, "streamed", stream(t, p, seededPieces(seed, text)), once)
		same(t, "transcript", string(p.Transcript()), text)
		if once.Summary.Failure != nil {
			same(t, "verbatim", once.Content, text)
		}
	})
}

// FuzzLeaks compares the detectors, and what can be saved with what is lost.
func FuzzLeaks(f *testing.F) {
	for _, row := range rows[leakRow](f, "leak-cases.jsonl", 248) {
		f.Add(row.Text, uint64(len(row.Text)), uint8(len(row.ID)))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64, choice uint8) {
		surface := Surface(choice % 3)
		once, err := DetectLeak(text, surface, int(choice)-1)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDetector(surface, int(choice)-1)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		same(t, "streamed", detect(t, d, seededPieces(seed, text)), once)
		for _, signal := range once {
			_ = text[signal.Start:signal.End]
		}
	})
}

// seededPieces cuts a text as the bits of the seed say.
func seededPieces(seed uint64, text string) []string {
	var all []string
	for text != "" {
		seed = seed*6364136223846793005 + 1442695040888963407
		n := min(int(seed>>59), len(text))
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}
