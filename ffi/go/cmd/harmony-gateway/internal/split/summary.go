package split

import "harmony-stream/ffi/go"

// A Summary is what was found in a response. It holds no text.
type Summary struct {
	// Split, Plain and Failed count choices: with harmony that was split; without, or split by the upstream; with
	// harmony that failed and so stayed as it came (verbatim policy).
	Split, Plain, Failed int
	// Deviations counts what was repaired, by kind.
	Deviations [harmony.DeviationWrongTerminator + 1]int
	// Calls counts tool calls by how complete they are.
	Calls [harmony.CallIncomplete + 1]int
	// Bytes of body text by channel.
	Bytes harmony.Bytes
	// Unreadable counts events and bodies that are no JSON of the kind that was expected.
	Unreadable int
	// Limits counts what exceeded one: "event", "transcript", "held", "choices".
	Limits map[string]int
	Leaks  []Leak
}

// A Leak is protocol text that goes out as something else.
type Leak struct {
	Choice  int
	Surface harmony.Surface
	// Label tells the signals as harmony.Label does.
	Label string
	Count int
	// Offset is where in the text of that surface the first one is.
	Offset int
}

func (s *Summary) limit(name string) {
	if s.Limits == nil {
		s.Limits = map[string]int{}
	}
	s.Limits[name]++
}

// count adds what a parser says. What a choice that stays as it came has said does not count.
func (s *Summary) count(event *harmony.Event) {
	switch event.Kind {
	case harmony.EventDeviation:
		s.Deviations[event.Deviation]++
	case harmony.EventToolCallEnd:
		s.Calls[event.Status]++
	}
}

func (s *Summary) add(other *Summary) {
	s.Split += other.Split
	s.Plain += other.Plain
	s.Failed += other.Failed
	for i, n := range other.Deviations {
		s.Deviations[i] += n
	}
	for i, n := range other.Calls {
		s.Calls[i] += n
	}
	s.Bytes.Analysis += other.Bytes.Analysis
	s.Bytes.Commentary += other.Bytes.Commentary
	s.Bytes.Final += other.Bytes.Final
	s.Bytes.Other += other.Bytes.Other
	s.Unreadable += other.Unreadable
	for name, n := range other.Limits {
		for range n {
			s.limit(name)
		}
	}
	s.Leaks = append(s.Leaks, other.Leaks...)
}
