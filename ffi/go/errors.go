package harmony

// #include "harmony_stream.h"
import "C"

import "fmt"

// An Error says what a call came to instead of a result. After all but [ErrPanic] nothing has changed; correct the
// call and go on. Compare with errors.Is.
type Error int32

const (
	// ErrArgument: a number that means nothing here, or an offset outside the text.
	ErrArgument Error = C.HARMONY_E_ARGUMENT
	// ErrFinished: the stream is finished; only a reset makes it usable again.
	ErrFinished Error = C.HARMONY_E_FINISHED
	// ErrInput: not with this [Input]: a control token was pushed though they are read from the text, or a whole text
	// was to be parsed though they come as tokens.
	ErrInput Error = C.HARMONY_E_INPUT
	// ErrLimit: the text would pass [Options.MaxBytes]; nothing of the chunk was taken.
	ErrLimit Error = C.HARMONY_E_LIMIT
	// ErrUTF8: the text is not UTF-8. Only where a function says so.
	ErrUTF8 Error = C.HARMONY_E_UTF8
	// ErrPanic: a bug in the library. The handle is of no use any more, except to be closed.
	ErrPanic Error = C.HARMONY_E_PANIC
	// ErrNone: there is no such value.
	ErrNone Error = C.HARMONY_NONE
	// ErrCut: there is no such value although a grammar was applied: the answer was cut.
	ErrCut Error = C.HARMONY_CUT
	// ErrClosed: the handle was closed before.
	ErrClosed Error = -1000
)

// Error says it in words.
func (e Error) Error() string {
	switch e {
	case ErrArgument:
		return "harmony: argument out of range"
	case ErrFinished:
		return "harmony: the stream is finished; reset it to begin another"
	case ErrInput:
		return "harmony: not with this input option"
	case ErrLimit:
		return "harmony: the text would pass its limit of bytes"
	case ErrUTF8:
		return "harmony: the text is not UTF-8"
	case ErrPanic:
		return "harmony: a bug in the library"
	case ErrNone:
		return "harmony: there is no such value"
	case ErrCut:
		return "harmony: the answer was cut"
	case ErrClosed:
		return "harmony: closed"
	}
	return fmt.Sprintf("harmony: status %d", int32(e))
}

// failed makes an error of a status below 0.
func failed(status C.harmony_status) error {
	if status < 0 {
		return Error(status)
	}
	return nil
}

// missing makes an error of every status that brings no value.
func missing(status C.harmony_status) error {
	if status != C.HARMONY_OK {
		return Error(status)
	}
	return nil
}
