package harmony

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every transcript of the project, under both kinds of options.

type transcript struct {
	name, text string
	strict     expected
	lenient    expected
}

func transcripts(t testing.TB) []transcript {
	t.Helper()
	files, err := filepath.Glob("../../tests/transcripts/*.txt")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	var all []transcript
	for _, file := range files {
		all = append(all, readTranscript(t, file))
	}
	return all
}

func readTranscript(t testing.TB, file string) transcript {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(strings.TrimSuffix(file, ".txt") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		expected
		Lenient *expected
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	one := transcript{name: filepath.Base(file), text: string(text), strict: want.expected, lenient: want.expected}
	if want.Lenient != nil {
		one.lenient = *want.Lenient
	}
	return one
}

func TestTranscripts(t *testing.T) {
	rng := seeded()
	for _, transcript := range transcripts(t) {
		for options, want := range map[Options]expected{{}: transcript.strict, Lenient(): transcript.lenient} {
			name := fmt.Sprintf("%s, %v", transcript.name, options.Policy)
			once := parse(t, transcript.text, options)
			check(t, name, transcript.text, once, want)
			for _, size := range []int{1, 4, 64, 1 << 20} {
				same(t, name, stream(t, newParser(t, options), pieces(transcript.text, size)), once)
			}
			same(t, name, stream(t, newParser(t, options), randomly(rng, transcript.text)), once)
		}
	}
}
