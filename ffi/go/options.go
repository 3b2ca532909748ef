package harmony

// #include "harmony_stream.h"
import "C"

import "unsafe"

// A Policy is what a text that leaves the grammar does.
type Policy uint8

const (
	// PolicyVerbatim gives it back unchanged, as content; the finish says why.
	PolicyVerbatim Policy = C.HARMONY_POLICY_VERBATIM
	// PolicyRecover repairs and reports it; nothing that was given out is ever taken back.
	PolicyRecover Policy = C.HARMONY_POLICY_RECOVER
)

// String is its name: "recover".
func (p Policy) String() string { return name(p, "verbatim", "recover") }

// A Routing is what makes a message a tool call.
type Routing uint8

const (
	// RoutingCommentaryFunctions: to=functions.NAME on the commentary channel.
	RoutingCommentaryFunctions Routing = C.HARMONY_ROUTING_COMMENTARY_FUNCTIONS
	// RoutingAnyRecipient: any recipient (to=python too) on any channel but final.
	RoutingAnyRecipient Routing = C.HARMONY_ROUTING_ANY_RECIPIENT
)

// String is its name: "any_recipient".
func (r Routing) String() string { return name(r, "commentary_functions", "any_recipient") }

// A Start is where the stream begins, which the prompt decides.
type Start uint8

const (
	// StartDetect: before the first message, whatever it is.
	StartDetect Start = C.HARMONY_START_DETECT
	// StartAssistantHeader: behind <|start|>assistant, which the prompt ended with.
	StartAssistantHeader Start = C.HARMONY_START_ASSISTANT_HEADER
	// StartAnalysisBody: in the body of a reasoning message.
	StartAnalysisBody Start = C.HARMONY_START_ANALYSIS_BODY
	// StartFinalBody: in the body of an answer.
	StartFinalBody Start = C.HARMONY_START_FINAL_BODY
)

// String is its name: "assistant_header".
func (s Start) String() string {
	return name(s, "detect", "assistant_header", "analysis_body", "final_body")
}

// An Input is how control tokens come in.
type Input uint8

const (
	// InputText: spelled out in the text.
	InputText Input = C.HARMONY_INPUT_TEXT
	// InputTokens: through [Parser.PushControl]; text is never searched for them.
	InputTokens Input = C.HARMONY_INPUT_TOKENS
)

// String is its name: "tokens".
func (i Input) String() string { return name(i, "text", "tokens") }

// Options say how to parse. The zero value is what a strict reader of the format does.
type Options struct {
	Policy  Policy
	Routing Routing
	Start   Start
	Input   Input
	// MaxBytes refuses a push that would make the text longer than this; 0: no limit.
	MaxBytes uint64
}

// Lenient is what a live server wants: [PolicyRecover] and [RoutingAnyRecipient].
func Lenient() Options {
	return Options{Policy: PolicyRecover, Routing: RoutingAnyRecipient}
}

func (o Options) c() C.harmony_options {
	return C.harmony_options{
		size:      C.size_t(unsafe.Sizeof(C.harmony_options{})),
		policy:    C.uint32_t(o.Policy),
		routing:   C.uint32_t(o.Routing),
		start:     C.uint32_t(o.Start),
		input:     C.uint32_t(o.Input),
		max_bytes: C.uint64_t(o.MaxBytes),
	}
}

// name looks up the name of a number; one that means nothing is "unknown".
func name[N ~uint8](number N, names ...string) string {
	if int(number) < len(names) {
		return names[number]
	}
	return "unknown"
}
