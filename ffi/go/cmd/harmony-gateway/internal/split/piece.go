package split

import "harmony-stream/ffi/go"

type kind int

const (
	content kind = iota
	reasoning
	call
)

// A piece is the text of one delta. The first piece of a call has its name.
type piece struct {
	kind  kind
	index int
	name  string
	text  []byte
}

// pieces wait for the event they go out with. Neighbours of one kind are one piece.
type pieces struct {
	all []piece
	// whole gives calls out only when they are complete, and the text of others as reasoning: for Ollama, whose calls
	// have an object for arguments.
	whole           bool
	name, recipient string // of the call at hand, if whole
}

func (p *pieces) add(event *harmony.Event) {
	switch event.Kind {
	case harmony.EventContent:
		p.text(content, event.Text)
	case harmony.EventReasoning:
		p.text(reasoning, event.Text)
	case harmony.EventToolCallStart:
		p.start(event)
	case harmony.EventToolCallArguments:
		p.arguments(event)
	case harmony.EventToolCallEnd:
		p.end(event)
	}
}

func (p *pieces) text(kind kind, text []byte) {
	if len(text) == 0 {
		return
	}
	if last := p.last(); last != nil && last.kind == kind {
		last.text = append(last.text, text...)
		return
	}
	p.all = append(p.all, piece{kind: kind, text: append([]byte(nil), text...)})
}

func (p *pieces) last() *piece {
	if len(p.all) == 0 {
		return nil
	}
	return &p.all[len(p.all)-1]
}

func (p *pieces) start(event *harmony.Event) {
	if p.whole {
		p.name, p.recipient = string(event.Text), string(event.Recipient)
		return
	}
	p.all = append(p.all, piece{kind: call, index: event.Index, name: string(event.Text)})
}

func (p *pieces) arguments(event *harmony.Event) {
	if p.whole {
		return
	}
	if last := p.last(); last != nil && last.kind == call && last.index == event.Index {
		last.text = append(last.text, event.Text...)
		return
	}
	p.all = append(p.all, piece{kind: call, index: event.Index, text: append([]byte(nil), event.Text...)})
}

func (p *pieces) end(event *harmony.Event) {
	switch {
	case !p.whole:
	case event.Status == harmony.CallComplete:
		p.all = append(p.all, piece{
			kind: call, index: event.Index, name: p.name, text: append([]byte(nil), event.Text...),
		})
	default:
		p.text(reasoning, []byte("to="+p.recipient+" "))
		p.text(reasoning, event.Text)
	}
}

func (p *pieces) take() []piece {
	all := p.all
	p.all = nil
	return all
}
