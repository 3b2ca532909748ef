package harmony

/*
#include "shim.h"

#cgo noescape harmony_leak_detect
#cgo nocallback harmony_leak_detect
*/
import "C"

// Hosted GPT-5 models sometimes write the shadow of a routing header, to=functions.NAME without its brackets, into what
// the user sees or a tool runs. That marker alone proves nothing, for documentation quotes it: it counts only in
// company, which the classes say. Nothing inside a code fence counts.

// NoEnd says that no end of a tool's arguments is known.
const NoEnd = -1

// A Surface is what kind of text it is.
type Surface uint8

const (
	// SurfaceText is the visible answer.
	SurfaceText Surface = C.HARMONY_SURFACE_TEXT
	// SurfaceThinking is the chain of thought.
	SurfaceThinking Surface = C.HARMONY_SURFACE_THINKING
	// SurfaceToolArg is the arguments of a tool call. Any file may stand in them, so only what lies behind the end of
	// the arguments counts, and without that end nothing does.
	SurfaceToolArg Surface = C.HARMONY_SURFACE_TOOL_ARG
)

// String is its name: "tool_arg".
func (s Surface) String() string { return surfaceNames.of(uint32(s)) }

// A Class is what shows a leak; classes add up.
type Class uint8

const (
	// ClassControl, H: a literal control token; a signal by itself.
	ClassControl Class = C.HARMONY_CLASS_CONTROL
	// ClassMarker, M: to=functions.NAME; only in company of one of the following.
	ClassMarker Class = C.HARMONY_CLASS_MARKER
	// ClassChannel, C: a channel or role word directly before a marker.
	ClassChannel Class = C.HARMONY_CLASS_CHANNEL
	// ClassGlitch, G: a glitch word next to a marker.
	ClassGlitch Class = C.HARMONY_CLASS_GLITCH
	// ClassScript, S: a run of a foreign script in text that is otherwise ASCII.
	ClassScript Class = C.HARMONY_CLASS_SCRIPT
	// ClassCascade, B: a marker, "code", and another marker.
	ClassCascade Class = C.HARMONY_CLASS_CASCADE
	// ClassResult, R: a made-up tool result.
	ClassResult Class = C.HARMONY_CLASS_RESULT
	// ClassTrailing, T: behind the end of the arguments.
	ClassTrailing Class = C.HARMONY_CLASS_TRAILING
)

// String is the label of the sum: letters joined with "+", "none" for none.
func (c Class) String() string {
	if c == 0 {
		return "none"
	}
	return Label([]Signal{{Classes: c}})
}

// A Signal is a place in a text where something leaked: text[Start:End].
type Signal struct {
	Classes    Class
	Start, End int
}

// DetectLeak searches a finished text for protocol that leaked into it. The signals come by their start; none means
// that the text is clean. parsedEnd is the offset at which a valid parse of a tool's arguments ends, or [NoEnd].
// O(length).
//
// Errors: [ErrArgument] if there is no such surface.
func DetectLeak(text string, surface Surface, parsedEnd int) ([]Signal, error) {
	var few [4]C.harmony_signal
	signals := few[:]
	for {
		var count C.size_t
		status := C.harmony_leak_detect(stringC(text), C.size_t(len(text)), C.uint32_t(surface), endC(parsedEnd),
			&signals[0], C.size_t(len(signals)), &count)
		switch {
		case status < 0:
			return nil, Error(status)
		case status == C.HARMONY_OK:
			return signalsGo(nil, signals[:count]), nil
		}
		signals = make([]C.harmony_signal, count)
	}
}

// Label says the signals as one short text for logs and metrics: letters of classes joined with "+", distinct signals
// with ",", first seen first; "none" for none.
func Label(signals []Signal) string {
	raw := make([]C.harmony_signal, len(signals)+1)
	for i, signal := range signals {
		raw[i].classes = C.uint64_t(signal.Classes)
	}
	var texts *C.harmony_texts
	if C.harmony_leak_label(&raw[0], C.size_t(len(signals)), &texts) < 0 {
		return "unknown"
	}
	return oneGo(texts)
}

// IsLeakTarget says whether answers of this provider should be checked, whatever the model. All else is the host's
// decision.
func IsLeakTarget(provider string) bool {
	return C.harmony_leak_is_target(stringC(provider), C.size_t(len(provider))) == 1
}

func endC(end int) C.uint64_t {
	if end < 0 {
		return C.HARMONY_NO_END
	}
	return C.uint64_t(end)
}

func signalsGo(to []Signal, raw []C.harmony_signal) []Signal {
	for i := range raw {
		to = append(to, Signal{Classes: Class(raw[i].classes), Start: int(raw[i].start), End: int(raw[i].end)})
	}
	return to
}
