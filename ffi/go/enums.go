package harmony

// #include "harmony_stream.h"
import "C"

// A Kind is what an [Event] is. Skip kinds that you don't know.
type Kind uint8

const (
	// EventMessageStart: a header is complete. Channel and Recipient.
	EventMessageStart Kind = C.HARMONY_EVENT_MESSAGE_START
	// EventContent: Text is the next piece of the answer.
	EventContent Kind = C.HARMONY_EVENT_CONTENT
	// EventReasoning: Text is the next piece of the chain of thought.
	EventReasoning Kind = C.HARMONY_EVENT_REASONING
	// EventToolCallStart: tool call number Index begins, arguments follow. Text is the tool's name.
	EventToolCallStart Kind = C.HARMONY_EVENT_TOOL_CALL_START
	// EventToolCallArguments: Text is the next piece of the arguments of call Index, without white space around them.
	EventToolCallArguments Kind = C.HARMONY_EVENT_TOOL_CALL_ARGUMENTS
	// EventToolCallEnd: Text is all of the arguments of call Index; Status says whether they are complete.
	EventToolCallEnd Kind = C.HARMONY_EVENT_TOOL_CALL_END
	// EventMessageEnd: a message ended; End says by what.
	EventMessageEnd Kind = C.HARMONY_EVENT_MESSAGE_END
	// EventDeviation: something was repaired or dropped at Offset; Deviation says what. Text, often empty, is in no
	// other event. [PolicyRecover] only.
	EventDeviation Kind = C.HARMONY_EVENT_DEVIATION
	// EventRollback: forget every event so far, the whole text follows as content. [PolicyVerbatim] only.
	EventRollback Kind = C.HARMONY_EVENT_ROLLBACK
	// EventFinish: the end, always last, exactly once. Deviation and Offset say why the whole text came back as
	// content, if it did; End is how the last message ended. [Parser.Summary] knows more.
	EventFinish Kind = C.HARMONY_EVENT_FINISH
)

// String is its name: "tool_call_start".
func (k Kind) String() string { return kindNames.of(uint32(k)) }

// A Channel is what the header of a message names.
type Channel uint8

const (
	// ChannelNone: no channel, or the event stands outside of messages.
	ChannelNone Channel = C.HARMONY_CHANNEL_NONE
	// ChannelAnalysis is the chain of thought.
	ChannelAnalysis Channel = C.HARMONY_CHANNEL_ANALYSIS
	// ChannelCommentary is for tool calls, and content that accompanies them.
	ChannelCommentary Channel = C.HARMONY_CHANNEL_COMMENTARY
	// ChannelFinal is the answer.
	ChannelFinal Channel = C.HARMONY_CHANNEL_FINAL
	// ChannelOther is a name that is none of these ([PolicyRecover] only); the body is content.
	ChannelOther Channel = C.HARMONY_CHANNEL_OTHER
)

// String is its name: "analysis".
func (c Channel) String() string { return channelNames.of(uint32(c)) }

// A CallStatus is how complete a tool call is.
type CallStatus uint8

const (
	// CallComplete: the arguments are one JSON object. Only such a call may be run.
	CallComplete CallStatus = C.HARMONY_CALL_COMPLETE
	// CallMalformed: the call was closed, but its arguments are no JSON object.
	CallMalformed CallStatus = C.HARMONY_CALL_MALFORMED
	// CallIncomplete: the stream ended first.
	CallIncomplete CallStatus = C.HARMONY_CALL_INCOMPLETE
)

// String is its name: "malformed".
func (s CallStatus) String() string { return callStatusNames.of(uint32(s)) }

// An End is what ended a message.
type End uint8

const (
	// EndNone: there was no message.
	EndNone End = 0
	// EndEnd is <|end|>.
	EndEnd End = C.HARMONY_END_END
	// EndReturn is <|return|>.
	EndReturn End = C.HARMONY_END_RETURN
	// EndCall is <|call|>.
	EndCall End = C.HARMONY_END_CALL
	// EndNextHeader is the header of the next message.
	EndNextHeader End = C.HARMONY_END_NEXT_HEADER
	// EndOfStream: the stream ended, without a token that closes the message.
	EndOfStream End = C.HARMONY_END_OF_STREAM
)

// String is its name: "next_header".
func (e End) String() string { return endNames.of(uint32(e)) }

// A Deviation is what is wrong with a text, and what [PolicyRecover] makes of it.
type Deviation uint8

const (
	// DeviationNone: nothing.
	DeviationNone Deviation = 0
	// DeviationNoMessage: the stream ended without a message; its text is content.
	DeviationNoMessage Deviation = C.HARMONY_DEVIATION_NO_MESSAGE
	// DeviationStrayText: text where a message should begin; it is content.
	DeviationStrayText Deviation = C.HARMONY_DEVIATION_STRAY_TEXT
	// DeviationStrayTerminator: a terminator where nothing is open; it is dropped.
	DeviationStrayTerminator Deviation = C.HARMONY_DEVIATION_STRAY_TERMINATOR
	// DeviationStrayConstrain: <|constrain|> outside a header; it is dropped, with its format word.
	DeviationStrayConstrain Deviation = C.HARMONY_DEVIATION_STRAY_CONSTRAIN
	// DeviationMissingHeader: <|message|> without a header; its body is content.
	DeviationMissingHeader Deviation = C.HARMONY_DEVIATION_MISSING_HEADER
	// DeviationMissingStart: <|start|> is missing before a header; the header is taken.
	DeviationMissingStart Deviation = C.HARMONY_DEVIATION_MISSING_START
	// DeviationRepeatedStart: <|start|> twice; once is enough.
	DeviationRepeatedStart Deviation = C.HARMONY_DEVIATION_REPEATED_START
	// DeviationHeaderOrder: header fields in another order, or doubled; the last channel decides.
	DeviationHeaderOrder Deviation = C.HARMONY_DEVIATION_HEADER_ORDER
	// DeviationUnknownChannel: the header names no known channel; the one its word begins with decides, else content.
	DeviationUnknownChannel Deviation = C.HARMONY_DEVIATION_UNKNOWN_CHANNEL
	// DeviationStrandedHeader: a header that never reaches <|message|>; its text is routed by its channel.
	DeviationStrandedHeader Deviation = C.HARMONY_DEVIATION_STRANDED_HEADER
	// DeviationLongHeader: more than 1,024 bytes of header text; the body begins there.
	DeviationLongHeader Deviation = C.HARMONY_DEVIATION_LONG_HEADER
	// DeviationDroppedText: header text that belongs nowhere; it is dropped.
	DeviationDroppedText Deviation = C.HARMONY_DEVIATION_DROPPED_TEXT
	// DeviationChannelInBody: <|channel|> in a body; it begins the next message.
	DeviationChannelInBody Deviation = C.HARMONY_DEVIATION_CHANNEL_IN_BODY
	// DeviationDroppedMarker: a control token in a body that quotes nothing; it is dropped.
	DeviationDroppedMarker Deviation = C.HARMONY_DEVIATION_DROPPED_MARKER
	// DeviationQuotedMarker: a control token that may not be quoted, before text; it stays in the body.
	DeviationQuotedMarker Deviation = C.HARMONY_DEVIATION_QUOTED_MARKER
	// DeviationRepeatedMessage: <|message|> at the very start of a body; it is dropped.
	DeviationRepeatedMessage Deviation = C.HARMONY_DEVIATION_REPEATED_MESSAGE
	// DeviationUnterminated: the stream ended in a body that needs a terminator; its text stays.
	DeviationUnterminated Deviation = C.HARMONY_DEVIATION_UNTERMINATED
	// DeviationMalformedArguments: arguments that are no JSON object; they are passed on, the call is malformed.
	DeviationMalformedArguments Deviation = C.HARMONY_DEVIATION_MALFORMED_ARGUMENTS
	// DeviationIncompleteArguments: the stream ended in the arguments; the call is incomplete.
	DeviationIncompleteArguments Deviation = C.HARMONY_DEVIATION_INCOMPLETE_ARGUMENTS
	// DeviationWrongTerminator: a complete call that something other than <|call|> closed; it is complete.
	DeviationWrongTerminator Deviation = C.HARMONY_DEVIATION_WRONG_TERMINATOR
)

// Deviations are all kinds of deviation, in the order of their numbers.
func Deviations() []Deviation {
	all := make([]Deviation, 0, DeviationWrongTerminator)
	for d := DeviationNoMessage; d <= DeviationWrongTerminator; d++ {
		all = append(all, d)
	}
	return all
}

// String is its name, for logs and metrics: "stray_text".
func (d Deviation) String() string { return deviationNames.of(uint32(d)) }

// Message says what is wrong, in words that complete "at byte N: ...".
func (d Deviation) Message() string { return C.GoString(C.harmony_deviation_message(C.uint32_t(d))) }
