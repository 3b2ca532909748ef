package harmony

import "iter"

// All pushes every chunk, finishes, and gives the events one by one. An error comes once, as the last pair. Leaving
// the loop early leaves the parser where it is, with the events of the chunk at hand lost.
func (p *Parser) All(chunks iter.Seq[[]byte]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for chunk := range chunks {
			events, err := p.Push(chunk)
			if !each(events, err, yield) {
				return
			}
		}
		events, err := p.Finish()
		each(events, err, yield)
	}
}

// each says whether to go on.
func each(events []Event, err error, yield func(Event, error) bool) bool {
	for _, event := range events {
		if !yield(event, nil) {
			return false
		}
	}
	if err != nil {
		yield(Event{}, err)
		return false
	}
	return true
}
