package harmony

// #include "harmony_stream.h"
import "C"

import "sync"

// names are the library's names for some numbers. They are fetched once, so that they can't drift and cost no call.
type names struct {
	get   func(uint32) *C.char
	first uint32 // a smaller number is "none"
	last  uint32
	once  sync.Once
	known []string
}

func (n *names) of(number uint32) string {
	n.once.Do(func() {
		for i := uint32(0); i <= n.last; i++ {
			text := "none"
			if i >= n.first {
				text = C.GoString(n.get(i))
			}
			n.known = append(n.known, text)
		}
	})
	if number > n.last {
		return "unknown"
	}
	return n.known[number]
}

var (
	kindNames = names{first: 1, last: C.HARMONY_EVENT_FINISH, get: func(n uint32) *C.char {
		return C.harmony_event_name(C.uint32_t(n))
	}}
	channelNames = names{last: C.HARMONY_CHANNEL_OTHER, get: func(n uint32) *C.char {
		return C.harmony_channel_name(C.uint32_t(n))
	}}
	callStatusNames = names{first: 1, last: C.HARMONY_CALL_INCOMPLETE, get: func(n uint32) *C.char {
		return C.harmony_call_status_name(C.uint32_t(n))
	}}
	endNames = names{first: 1, last: C.HARMONY_END_OF_STREAM, get: func(n uint32) *C.char {
		return C.harmony_message_end_name(C.uint32_t(n))
	}}
	deviationNames = names{first: 1, last: C.HARMONY_DEVIATION_WRONG_TERMINATOR, get: func(n uint32) *C.char {
		return C.harmony_deviation_name(C.uint32_t(n))
	}}
	surfaceNames = names{last: C.HARMONY_SURFACE_TOOL_ARG, get: func(n uint32) *C.char {
		return C.harmony_surface_name(C.uint32_t(n))
	}}
	actionNames = names{first: 1, last: C.HARMONY_ACTION_ESCALATED, get: func(n uint32) *C.char {
		return C.harmony_action_name(C.uint32_t(n))
	}}
)
