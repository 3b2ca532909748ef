package harmony

import (
	"testing"
)

// Every vector of the project, one-shot and at random chunkings.

type harmonyRow struct {
	ID, Input string
	IsHarmony bool `json:"is_harmony"`
	expected
}

func TestHarmonyVectors(t *testing.T) {
	all := append(rows[harmonyRow](t, "harmony-cases.jsonl", 489), rows[harmonyRow](t, "harmony-random.jsonl", 6000)...)
	rng, p := seeded(), newParser(t, Options{})
	for _, row := range all {
		same(t, row.ID+" is_harmony", IsHarmony(row.Input), row.IsHarmony)
		once := parse(t, row.Input, Options{})
		check(t, row.ID, row.Input, once, row.expected)
		for range 2 {
			if err := p.Reset(); err != nil {
				t.Fatal(err)
			}
			streamed := stream(t, p, randomly(rng, row.Input))
			same(t, row.ID, streamed, once)
		}
	}
}

type recoverRow struct {
	ID, Input, Policy, Routing, Start string
	Items                             []item
	expected
}

type item struct{ Text, Control string }

func (r *recoverRow) options(t *testing.T) Options {
	options := Options{
		Policy:  numberOf[Policy](t, r.Policy, 2),
		Routing: numberOf[Routing](t, r.Routing, 2),
		Start:   numberOf[Start](t, r.Start, 4),
	}
	if r.Items != nil {
		options.Input = InputTokens
	}
	return options
}

func TestRecoverVectors(t *testing.T) {
	cases := rows[recoverRow](t, "recover-cases.jsonl", 96)
	for i := range cases {
		cases[i].Policy, cases[i].Routing = "recover", "any_recipient"
	}
	for _, row := range append(cases, rows[recoverRow](t, "recover-more.jsonl", 181)...) {
		checkRecover(t, row)
	}
}

func TestTokenVectors(t *testing.T) {
	for _, row := range rows[recoverRow](t, "tokens-cases.jsonl", 8) {
		row.Policy, row.Routing, row.Start = "verbatim", "commentary_functions", "detect"
		checkRecover(t, row)
	}
}

func checkRecover(t *testing.T, row recoverRow) {
	options := row.options(t)
	rng := seeded()
	if options.Input == InputTokens {
		for range 3 {
			p := newParser(t, options)
			got := tokens(t, p, row.Items, func(text string) []string { return randomly(rng, text) })
			check(t, row.ID, string(p.Transcript()), got, row.expected)
		}
		return
	}
	once := parse(t, row.Input, options)
	check(t, row.ID, row.Input, once, row.expected)
	for range 3 {
		same(t, row.ID, stream(t, newParser(t, options), randomly(rng, row.Input)), once)
	}
}

// tokens pushes items, their texts in pieces.
func tokens(t *testing.T, p *Parser, items []item, cut func(string) []string) Parsed {
	t.Helper()
	var collector Collector
	for _, item := range items {
		if item.Control != "" {
			events, err := p.PushControl(controlOf(t, item.Control))
			if err != nil {
				t.Fatal(err)
			}
			collector.Add(events...)
			continue
		}
		for _, piece := range cut(item.Text) {
			events, err := p.PushString(piece)
			if err != nil {
				t.Fatal(err)
			}
			collector.Add(events...)
		}
	}
	return finish(t, p, &collector)
}

func controlOf(t *testing.T, name string) Control { return numberOf[Control](t, name, 8) }
