package harmony

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"
)

type structuredRow struct {
	ID, Raw, Picker, Reason string
	Constrained, OK         bool
	Value                   json.RawMessage
}

func TestStructuredVectors(t *testing.T) {
	all := append(rows[structuredRow](t, "structured-cases.jsonl", 137),
		rows[structuredRow](t, "structured-random.jsonl", 1500)...)
	for _, row := range all {
		value, err := pick(row)
		if !row.OK {
			reason := map[error]string{ErrCut: "constrained-parse-failed", ErrNone: "unconstrained"}[err]
			same(t, row.ID, reason, row.Reason)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", row.ID, err)
		}
		var want any
		if err := json.Unmarshal(row.Value, &want); err != nil {
			t.Fatal(err)
		}
		same(t, row.ID, value, want)
	}
}

// pick gives the value as encoding/json would.
func pick(row structuredRow) (any, error) {
	if row.Picker == "title" {
		return PickTitle(row.Raw, row.Constrained)
	}
	picker := PickQueries
	if row.Picker == "suggestions" {
		picker = PickSuggestions
	}
	texts, err := picker(row.Raw, row.Constrained)
	var all []any
	for _, text := range texts {
		all = append(all, text)
	}
	return all, err
}

func TestSchemas(t *testing.T) {
	data, err := os.ReadFile("../../tests/vectors/structured-schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	var wanted map[string]json.RawMessage
	if err := json.Unmarshal(data, &wanted); err != nil {
		t.Fatal(err)
	}
	ours := []string{TitleSchema(), SuggestionsSchema(), QueriesSchema()}
	for name, want := range wanted {
		found := false
		for _, schema := range ours {
			found = found || bytes.Equal(compact(t, []byte(schema)), compact(t, want))
		}
		same(t, name, found, true)
	}
	same(t, "schemas", len(wanted), len(ours))
}

func compact(t *testing.T, text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestExtract(t *testing.T) {
	object, err := Extract("Here: {\"a\": [1, {}]} - as you asked.")
	same(t, "object", object, `{"a": [1, {}]}`)
	same(t, "error", err, nil)
	_, err = Extract("no object")
	same(t, "none", errors.Is(err, ErrNone), true)
	_, err = Extract("\xff{}")
	same(t, "bytes", errors.Is(err, ErrUTF8), true)
}

func TestEscape(t *testing.T) {
	for _, text := range []string{"", "plain", "<|end|><|call|>", "<\u2060|end|>", "a < b |> c"} {
		escaped, err := Escape(text)
		if err != nil {
			t.Fatal(err)
		}
		for control := ControlStart; control <= ControlConstrain; control++ {
			same(t, text, bytes.Contains([]byte(escaped), []byte(control.Literal())), false)
		}
		back, err := Unescape(escaped)
		same(t, text, back, text)
		same(t, text, err, nil)
	}
}
