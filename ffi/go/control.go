package harmony

// #include "harmony_stream.h"
import "C"

import "strings"

// A Control is one of the seven control tokens of the format.
type Control uint8

const (
	// ControlStart begins a message header.
	ControlStart Control = C.HARMONY_CONTROL_START
	// ControlEnd ends a message; the turn goes on.
	ControlEnd Control = C.HARMONY_CONTROL_END
	// ControlReturn ends the turn.
	ControlReturn Control = C.HARMONY_CONTROL_RETURN
	// ControlCall ends a tool call.
	ControlCall Control = C.HARMONY_CONTROL_CALL
	// ControlChannel comes before the channel's name.
	ControlChannel Control = C.HARMONY_CONTROL_CHANNEL
	// ControlMessage ends the header; the body follows.
	ControlMessage Control = C.HARMONY_CONTROL_MESSAGE
	// ControlConstrain comes before the body's format.
	ControlConstrain Control = C.HARMONY_CONTROL_CONSTRAIN
)

// ControlFromTokenID is the control token with this id in the o200k_harmony vocabulary of gpt-oss; false if the token
// is none.
func ControlFromTokenID(id uint32) (Control, bool) {
	control := C.harmony_control_from_token_id(C.uint32_t(id))
	return Control(control), control != 0
}

// TokenID is its id in the o200k_harmony vocabulary.
func (c Control) TokenID() uint32 { return uint32(C.harmony_control_token_id(C.uint32_t(c))) }

// Literal is how it is spelled in text: "<|call|>".
func (c Control) Literal() string { return C.GoString(C.harmony_control_literal(C.uint32_t(c))) }

// String is its name: "call".
func (c Control) String() string {
	if literal := c.Literal(); literal != "" {
		return strings.Trim(literal, "<|>")
	}
	return "unknown"
}
