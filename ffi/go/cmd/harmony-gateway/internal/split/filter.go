package split

import (
	"bytes"

	"github.com/tidwall/gjson"
)

// A format is how responses are written.
type format interface {
	// next is the end of the first event in the bytes, 0 if it is not complete. It goes on where it had stopped.
	next(bytes []byte) int
	// read takes an event apart. nil: there is nothing to do with it.
	read(event []byte) *message
	// write appends an event with new texts.
	write(out []byte, m *message, fates []fate) []byte
	// insert appends an event that only says a piece, of the same response.
	insert(out []byte, m *message, choice int, piece *piece) []byte
	// whole says whether calls go out only when they are complete.
	whole() bool
}

// A message is an event that may wait.
type message struct {
	event []byte
	data  string // its JSON
	parts []part
	ready int // so many of the parts, the first ones, need to wait no longer
	// passes before all that waits, where that may take long.
	passes bool
	// done: nothing of the response follows.
	done       bool
	unreadable bool
	origin     *origin // nil: not needed so far
}

// An origin is what all events of a response have in common. An event may be long and have many pieces, so it is searched
// only once.
type origin struct {
	members []member
	role    []member // of Ollama's message
	source  string   // for the ids of calls
}

// A part is what an event says for one choice.
type part struct {
	choice     int
	text       string
	thinking   string // what the upstream split off itself
	structured bool
	ended      bool
	reason     string // why it ended
	end        int    // of the choice's text, with this part
	state      *choice
	plain      bool // it stays as it came, though harmony may follow
	// Where it stands in the JSON.
	raw, delta gjson.Result
	reasonAt   edit // of the finish reason, its text left out
}

// A Filter splits one response that streams. Not safe for concurrent use. Close it.
type Filter struct {
	format   format
	settings Settings
	choices  map[int]*choice
	order    []int
	begun    bool // whether it begins with a byte order mark is known
	buffer   []byte
	waiting  []*message
	held     int      // bytes of events that wait
	last     *message // a readable one, to make others like it
	raw      bool     // nothing is read any more
	found    Summary
}

// NewChat is for server-sent events of OpenAI-compatible servers.
func NewChat(settings Settings) *Filter {
	return newFilter(&chat{reasoning: settings.Reasoning}, settings)
}

// NewOllama is for lines of Ollama's /api/chat.
func NewOllama(settings Settings) *Filter { return newFilter(&ollama{}, settings) }

func newFilter(format format, settings Settings) *Filter {
	return &Filter{format: format, settings: settings, choices: map[int]*choice{}}
}

// Close frees the parsers. The filter is of no use any more.
func (f *Filter) Close() {
	for _, choice := range f.choices {
		choice.close()
	}
}

// Push takes the next bytes of the response, cut anywhere, and appends to out what goes out because of them.
func (f *Filter) Push(out, data []byte) []byte {
	if f.raw {
		return append(out, data...)
	}
	f.buffer = append(f.buffer, data...)
	begin, known := f.mark()
	if !known {
		return out
	}
	out = append(out, f.buffer[:begin]...)
	for !f.raw {
		end := f.format.next(f.buffer[begin:])
		if end == 0 {
			break
		}
		out = f.event(out, f.buffer[begin:begin+end])
		begin += end
	}
	f.buffer = f.buffer[:copy(f.buffer, f.buffer[begin:])]
	if !f.raw && len(f.buffer) > f.settings.MaxEvent {
		f.found.limit("event")
		out = f.giveUp(out)
	}
	if f.raw {
		out = append(out, f.buffer...)
		f.buffer = nil
	}
	return out
}

var byteOrderMark = []byte("\ufeff")

// mark is the length of the byte order mark at the very beginning of the response. false: more has to come.
//
// Readers of server-sent events have to ignore it, and readers of JSON may (RFC 8259, 8.1). So it belongs to no event or
// line, and the first one is read.
func (f *Filter) mark() (int, bool) {
	if f.begun {
		return 0, true
	}
	if len(f.buffer) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, f.buffer) {
		return 0, false
	}
	f.begun = true
	if bytes.HasPrefix(f.buffer, byteOrderMark) {
		return len(byteOrderMark), true
	}
	return 0, true
}

// giveUp passes the rest of the response as it is.
func (f *Filter) giveUp(out []byte) []byte {
	f.raw = true
	for _, index := range f.order {
		f.choices[index].giveUp()
	}
	return f.rest(f.flush(out))
}

func (f *Filter) event(out, event []byte) []byte {
	if len(event) > f.settings.MaxEvent {
		f.found.limit("event")
		return append(f.giveUp(out), event...)
	}
	m := f.format.read(event)
	switch {
	case m.passes && f.unsure():
		return append(out, event...)
	case m.done:
		return append(f.end(out), event...)
	case m.unreadable:
		f.found.Unreadable++
	}
	f.take(m)
	f.waiting = append(f.waiting, m)
	f.held += len(event)
	out = f.flush(out)
	if f.held > f.settings.MaxHeld {
		f.found.limit("held")
		out = f.release(out)
	}
	if len(f.waiting) > 0 {
		// It outlives the buffer.
		m.event = bytes.Clone(m.event)
	}
	return out
}

// release gives up the choices that keep events waiting.
func (f *Filter) release(out []byte) []byte {
	for _, choice := range f.choices {
		if !choice.settled(choice.length) {
			choice.giveUp()
		}
	}
	return f.flush(out)
}

// unsure says whether a choice waits for its end. Then comments don't: they keep connections alive.
func (f *Filter) unsure() bool {
	for _, choice := range f.choices {
		if choice.phase == unsure {
			return true
		}
	}
	return false
}

// take gives the parts of an event to their choices.
func (f *Filter) take(m *message) {
	for i := range m.parts {
		part := &m.parts[i]
		part.state = f.choice(part.choice)
		if part.state == nil {
			continue
		}
		f.last = m
		if part.structured {
			part.state.giveUp()
		}
		part.state.push(part.text)
		part.end = part.state.length
		if part.ended {
			part.state.end()
		}
	}
}

// choice gives the choice of this number, nil if there are too many.
func (f *Filter) choice(index int) *choice {
	if c := f.choices[index]; c != nil {
		return c
	}
	if len(f.choices) >= f.settings.MaxChoices {
		f.found.limit("choices")
		return nil
	}
	c, err := newChoice(index, &f.settings, f.format.whole())
	if err != nil {
		return nil
	}
	f.choices[index] = c
	f.order = append(f.order, index)
	return c
}

// flush writes the events that wait no longer, in order.
func (f *Filter) flush(out []byte) []byte {
	for len(f.waiting) > 0 && f.waiting[0].settled() {
		out = f.write(out, f.waiting[0])
		f.held -= len(f.waiting[0].event)
		f.waiting = f.waiting[1:]
	}
	return out
}

// settled says whether an event needs to wait no longer. It goes on where it had stopped: there may be many parts, and
// it is asked with each event behind.
func (m *message) settled() bool {
	for m.ready < len(m.parts) && m.parts[m.ready].settle() {
		m.ready++
	}
	return m.ready == len(m.parts)
}

// settle says whether a part needs to wait no longer, once and for all: plain text is let go, so that what its choice
// says later does not count for it.
func (p *part) settle() bool {
	if p.state == nil {
		return true
	}
	settled := p.state.settled(p.end)
	p.plain = settled && p.state.release(p.end)
	return settled
}

func (f *Filter) write(out []byte, m *message) []byte {
	fates := make([]fate, len(m.parts))
	untouched := true
	for i := range m.parts {
		part := &m.parts[i]
		fates[i].untouched = true
		if part.state != nil {
			fates[i] = part.state.decide(part)
			part.state.leaks.say(reasoning, part.thinking)
		}
		untouched = untouched && fates[i].untouched
	}
	if untouched {
		return append(out, m.event...)
	}
	return f.format.write(out, m, fates)
}

// end says that nothing of the response follows, and writes what waited.
func (f *Filter) end(out []byte) []byte {
	for _, index := range f.order {
		f.choices[index].end()
	}
	return f.rest(f.flush(out))
}

// rest writes pieces that no event is left for.
func (f *Filter) rest(out []byte) []byte {
	for _, index := range f.order {
		choice := f.choices[index]
		pieces := choice.pieces.take()
		for i := range pieces {
			choice.leaks.say(pieces[i].kind, string(pieces[i].text))
			out = f.format.insert(out, f.last, index, &pieces[i])
		}
	}
	return out
}

// Finish ends the response and appends what was held back.
func (f *Filter) Finish(out []byte) []byte {
	if len(f.buffer) > 0 && !f.raw {
		// An event that nothing ended.
		out = f.event(out, f.buffer)
	}
	f.buffer = nil
	if f.raw {
		return out
	}
	out = f.end(out)
	f.raw = true
	return out
}

// Summary is what was found. Call it once, after Finish.
func (f *Filter) Summary() Summary {
	found := f.found
	for _, index := range f.order {
		one := f.choices[index].summary()
		found.add(&one)
	}
	return found
}
