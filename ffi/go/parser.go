package harmony

/*
#include "shim.h"

#cgo noescape harmony_go_push
#cgo nocallback harmony_go_push
#cgo noescape harmony_go_push_control
#cgo nocallback harmony_go_push_control
#cgo noescape harmony_go_finish
#cgo nocallback harmony_go_finish
#cgo noescape harmony_go_drain
#cgo nocallback harmony_go_drain
#cgo noescape harmony_stream_summary
#cgo nocallback harmony_stream_summary
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// A Parser splits one stream while it comes in. It holds the text that was pushed, and little else.
//
// It may move between goroutines, but must not be used by two at once. Close it; that releases its memory.
type Parser struct {
	handle  *C.harmony_stream
	cleanup runtime.Cleanup
	out     C.harmony_go_events
	events  []Event
	scratch []byte // texts that lie before the chunk
	chunk   []byte // the copy that PushString makes
}

// NewParser makes a parser for one stream. It fails only if an option means nothing.
func NewParser(options Options) (*Parser, error) {
	var handle *C.harmony_stream
	given := options.c()
	if err := failed(C.harmony_stream_new(&given, &handle)); err != nil {
		return nil, err
	}
	return own(handle), nil
}

func own(handle *C.harmony_stream) *Parser {
	p := &Parser{handle: handle}
	// Only the backstop: the garbage collector does not see how much memory hangs on the handle.
	p.cleanup = runtime.AddCleanup(p, func(handle *C.harmony_stream) { C.harmony_stream_free(handle) }, handle)
	return p
}

// Close releases the parser's memory. Every later call is [ErrClosed], a second Close nothing.
func (p *Parser) Close() error {
	if p.handle != nil {
		p.cleanup.Stop()
		C.harmony_stream_free(p.handle)
		p.handle = nil
	}
	return nil
}

// Push takes the next chunk of the stream, cut wherever you like, and gives the events that became certain with it.
// They are good until the next call, and as long as the chunk is not changed.
//
// The chunk is copied, so it may be used again after the events have been read. O(1) amortised per byte, and no
// allocation once the parser's buffers have grown to their size.
//
// Errors: [ErrFinished], [ErrLimit], [ErrClosed].
func (p *Parser) Push(chunk []byte) ([]Event, error) {
	if p.handle == nil {
		return nil, ErrClosed
	}
	C.harmony_go_push(p.handle, bytesC(chunk), C.size_t(len(chunk)), &p.out)
	return p.take(chunk)
}

// PushString is Push for a string; it copies the string once more, since events must not lend it out as bytes.
func (p *Parser) PushString(chunk string) ([]Event, error) {
	p.chunk = append(p.chunk[:0], chunk...)
	return p.Push(p.chunk)
}

// PushControl takes a control token that the sampler knows by its id ([InputTokens] only); else as [Parser.Push].
//
// Errors: also [ErrInput], and [ErrArgument] if there is no such token.
func (p *Parser) PushControl(control Control) ([]Event, error) {
	if p.handle == nil {
		return nil, ErrClosed
	}
	C.harmony_go_push_control(p.handle, C.uint32_t(control), &p.out)
	return p.take(nil)
}

// Finish ends the stream. The last event is [EventFinish]; events are good until the next call.
//
// Errors: [ErrFinished] the second time, [ErrClosed].
func (p *Parser) Finish() ([]Event, error) {
	if p.handle == nil {
		return nil, ErrClosed
	}
	C.harmony_go_finish(p.handle, &p.out)
	return p.take(nil)
}

// take makes events of what the last call wrote, and fetches those that found no room.
func (p *Parser) take(chunk []byte) ([]Event, error) {
	p.events, p.scratch = p.events[:0], p.scratch[:0]
	if err := failed(p.out.status); err != nil {
		return nil, err
	}
	p.append(chunk)
	for p.out.status == C.HARMONY_MORE {
		C.harmony_go_drain(p.handle, &p.out)
		if err := failed(p.out.status); err != nil {
			return p.events, err
		}
		p.append(chunk)
	}
	runtime.KeepAlive(p)
	return p.events, nil
}

// append makes events of the raw ones at hand. The chunk is the end of the transcript.
func (p *Parser) append(chunk []byte) {
	from := int(p.out.length) - len(chunk)
	for i := range p.out.events[:p.out.count] {
		raw := &p.out.events[i]
		// In place: an Event is large, and most chunks have one.
		if len(p.events) < cap(p.events) {
			p.events = p.events[:len(p.events)+1]
		} else {
			p.events = append(p.events, Event{})
		}
		event := &p.events[len(p.events)-1]
		*event = Event{
			Kind: Kind(raw.kind), Channel: Channel(raw.channel),
			Offset: int(raw.offset), Position: int(raw.position),
		}
		p.fill(event, raw, chunk, from)
	}
}

// fill sets what depends on the kind.
func (p *Parser) fill(event *Event, raw *C.harmony_event, chunk []byte, from int) {
	offset, length := int(raw.offset), int(raw.length)
	switch event.Kind {
	case EventMessageStart:
		event.Recipient = p.text(offset, length, chunk, from)
		return
	case EventToolCallStart:
		event.Index = int(raw.index)
		before := int(raw.code)
		event.Recipient = p.text(offset-before, length+before, chunk, from)
		event.Text = event.Recipient[before:]
		return
	case EventToolCallArguments:
		event.Index = int(raw.index)
	case EventToolCallEnd:
		event.Index, event.Status = int(raw.index), CallStatus(raw.code)
	case EventMessageEnd:
		event.End = End(raw.code)
	case EventDeviation:
		event.Deviation = Deviation(raw.code)
	case EventFinish:
		event.Deviation, event.End = Deviation(raw.code), End(raw.index)
	}
	event.Text = p.text(offset, length, chunk, from)
}

// text gives a stretch of the transcript as Go memory. `from` is where the chunk begins.
func (p *Parser) text(offset, length int, chunk []byte, from int) []byte {
	if length == 0 {
		return nil
	}
	if at := offset - from; at >= 0 {
		return chunk[at : at+length : at+length]
	}
	// A buffer that grows leaves the texts it has lent out where they are.
	begin := len(p.scratch)
	p.scratch = append(p.scratch, p.transcript()[offset:offset+length]...)
	return p.scratch[begin:len(p.scratch):len(p.scratch)]
}

// transcript is C memory, valid until the next call; it must not leave the package.
func (p *Parser) transcript() []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&p.out.text)), int(p.out.length))
}

// Reset makes the parser as new, with the same options. Its memory is kept for the next stream.
func (p *Parser) Reset() error {
	if p.handle == nil {
		return ErrClosed
	}
	err := failed(C.harmony_stream_reset(p.handle))
	runtime.KeepAlive(p)
	return err
}

// Clone copies the parser with all it holds; both go on on their own, and both want to be closed.
func (p *Parser) Clone() (*Parser, error) {
	if p.handle == nil {
		return nil, ErrClosed
	}
	var handle *C.harmony_stream
	err := failed(C.harmony_stream_clone(p.handle, &handle))
	runtime.KeepAlive(p)
	if err != nil {
		return nil, err
	}
	return own(handle), nil
}

// Held is how many bytes at the end of the text wait for what follows: they are in no event yet. 0 after Finish, and
// after Close.
func (p *Parser) Held() int {
	if p.handle == nil {
		return 0
	}
	held := int(C.harmony_stream_held(p.handle))
	runtime.KeepAlive(p)
	return held
}

// Transcript is a copy of all that was pushed, control tokens as their literals. Empty after Close.
func (p *Parser) Transcript() []byte {
	if p.handle == nil {
		return nil
	}
	var length C.size_t
	text := C.harmony_stream_text(p.handle, &length)
	if length == 0 {
		return nil
	}
	copied := append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(text)), int(length))...)
	runtime.KeepAlive(p)
	return copied
}

// Summary is how the stream ended, or how it stands before the end. After Close it is [ErrClosed].
func (p *Parser) Summary() (Summary, error) {
	if p.handle == nil {
		return Summary{}, ErrClosed
	}
	raw := C.harmony_summary{size: C.size_t(unsafe.Sizeof(C.harmony_summary{}))}
	err := failed(C.harmony_stream_summary(p.handle, &raw))
	runtime.KeepAlive(p)
	return summary(&raw), err
}
