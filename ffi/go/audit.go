package harmony

// #include "harmony_stream.h"
import "C"

import "unsafe"

// An Action is what was done about a leak, for an audit event.
type Action uint8

const (
	// ActionTruncateResume: the clean part of a tool call was run, and the rest asked for.
	ActionTruncateResume Action = C.HARMONY_ACTION_TRUNCATE_RESUME
	// ActionAbortRetry: the message was thrown away, and asked for again.
	ActionAbortRetry Action = C.HARMONY_ACTION_ABORT_RETRY
	// ActionEscalated: the host gave up and told the user.
	ActionEscalated Action = C.HARMONY_ACTION_ESCALATED
)

// String is its name: "abort_retry".
func (a Action) String() string { return actionNames.of(uint32(a)) }

// An Audit is what a log may know of a removed text without holding it. The rest of an audit event (action, surface,
// label, retry, model, provider, tool) is the host's.
type Audit struct {
	// RemovedLength is in UTF-16 units.
	RemovedLength int
	RemovedBytes  int
	// RemovedSHA8 is the first 8 hex digits of its SHA-512/256.
	RemovedSHA8 string
	// RemovedPreview is its first 64 UTF-16 units, with U+00B7 for all that may be the user's.
	RemovedPreview string
}

// AuditOf tells what a log may know of a removed text.
//
// Errors: [ErrUTF8].
func AuditOf(removed string) (Audit, error) {
	raw := C.harmony_audit{size: C.size_t(unsafe.Sizeof(C.harmony_audit{}))}
	if err := failed(C.harmony_leak_audit(stringC(removed), C.size_t(len(removed)), &raw)); err != nil {
		return Audit{}, err
	}
	return Audit{
		RemovedLength:  int(raw.removed_length),
		RemovedBytes:   int(raw.removed_bytes),
		RemovedSHA8:    C.GoString(&raw.removed_sha8[0]),
		RemovedPreview: C.GoString(&raw.removed_preview[0]),
	}, nil
}
