//! The numbers that stand for the core's enums in C. A number never changes and is never used again.

use harmony::leak::{Action, Surface};
use harmony::{Channel, Control, DeviationKind, MessageEnd, Status};

/// A header is complete: `channel`; the text is the recipient (`functions.NAME`, `python`), empty if
/// there is none.
pub const HARMONY_EVENT_MESSAGE_START: u32 = 1;
/// The text is the next piece of the answer.
pub const HARMONY_EVENT_CONTENT: u32 = 2;
/// The text is the next piece of the chain of thought.
pub const HARMONY_EVENT_REASONING: u32 = 3;
/// Tool call number `index` begins, arguments follow. The text is the tool's name without `functions.`; the recipient
/// as it was written begins `code` bytes before it.
pub const HARMONY_EVENT_TOOL_CALL_START: u32 = 4;
/// The text is the next piece of the arguments of tool call `index`; white space around them is not part of it.
pub const HARMONY_EVENT_TOOL_CALL_ARGUMENTS: u32 = 5;
/// The text is all of the arguments of tool call `index`; `code` says whether they are complete (HARMONY_CALL_).
pub const HARMONY_EVENT_TOOL_CALL_END: u32 = 6;
/// A message ended; `code` says by what (HARMONY_END_).
pub const HARMONY_EVENT_MESSAGE_END: u32 = 7;
/// Something was repaired or dropped at `offset`; `code` says what (HARMONY_DEVIATION_). The text, often empty, is in
/// no other event. HARMONY_POLICY_RECOVER only.
pub const HARMONY_EVENT_DEVIATION: u32 = 8;
/// Forget every event so far: the whole text follows as content. HARMONY_POLICY_VERBATIM only.
pub const HARMONY_EVENT_ROLLBACK: u32 = 9;
/// The end, always last, exactly once. `code` says why the whole text came back as content (HARMONY_DEVIATION_), 0 if
/// it did not; `offset` is the byte that proved it; `index` is how the last message ended (HARMONY_END_), 0 if there
/// was none. There is no text. harmony_stream_summary knows more.
pub const HARMONY_EVENT_FINISH: u32 = 10;

/// The header names no channel, or the event stands outside of messages.
pub const HARMONY_CHANNEL_NONE: u32 = 0;
/// Chain of thought.
pub const HARMONY_CHANNEL_ANALYSIS: u32 = 1;
/// Tool calls, and content that accompanies them.
pub const HARMONY_CHANNEL_COMMENTARY: u32 = 2;
/// The answer.
pub const HARMONY_CHANNEL_FINAL: u32 = 3;
/// A name that is none of these (HARMONY_POLICY_RECOVER only); the body is content.
pub const HARMONY_CHANNEL_OTHER: u32 = 4;

/// The arguments are one JSON object: only such a call may be run.
pub const HARMONY_CALL_COMPLETE: u32 = 1;
/// The call was closed, but its arguments are no JSON object.
pub const HARMONY_CALL_MALFORMED: u32 = 2;
/// The stream ended first.
pub const HARMONY_CALL_INCOMPLETE: u32 = 3;

/// `<|end|>`.
pub const HARMONY_END_END: u32 = 1;
/// `<|return|>`.
pub const HARMONY_END_RETURN: u32 = 2;
/// `<|call|>`.
pub const HARMONY_END_CALL: u32 = 3;
/// The header of the next message.
pub const HARMONY_END_NEXT_HEADER: u32 = 4;
/// The stream ended, without a token that closes the message.
pub const HARMONY_END_OF_STREAM: u32 = 5;

/// `<|start|>` begins a message header.
pub const HARMONY_CONTROL_START: u32 = 1;
/// `<|end|>` ends a message; the turn goes on.
pub const HARMONY_CONTROL_END: u32 = 2;
/// `<|return|>` ends the turn.
pub const HARMONY_CONTROL_RETURN: u32 = 3;
/// `<|call|>` ends a tool call.
pub const HARMONY_CONTROL_CALL: u32 = 4;
/// `<|channel|>` comes before the channel's name.
pub const HARMONY_CONTROL_CHANNEL: u32 = 5;
/// `<|message|>` ends the header; the body follows.
pub const HARMONY_CONTROL_MESSAGE: u32 = 6;
/// `<|constrain|>` comes before the body's format.
pub const HARMONY_CONTROL_CONSTRAIN: u32 = 7;

/// The stream ended without a message; its text is content.
pub const HARMONY_DEVIATION_NO_MESSAGE: u32 = 1;
/// Text where a message should begin; it is content.
pub const HARMONY_DEVIATION_STRAY_TEXT: u32 = 2;
/// A terminator where nothing is open; it is dropped.
pub const HARMONY_DEVIATION_STRAY_TERMINATOR: u32 = 3;
/// `<|constrain|>` outside a header; it is dropped, with its format word.
pub const HARMONY_DEVIATION_STRAY_CONSTRAIN: u32 = 4;
/// `<|message|>` without a header; its body is content.
pub const HARMONY_DEVIATION_MISSING_HEADER: u32 = 5;
/// `<|start|>` is missing before a header; the header is taken.
pub const HARMONY_DEVIATION_MISSING_START: u32 = 6;
/// `<|start|>` twice; once is enough.
pub const HARMONY_DEVIATION_REPEATED_START: u32 = 7;
/// Header fields in another order, or doubled; the last channel decides.
pub const HARMONY_DEVIATION_HEADER_ORDER: u32 = 8;
/// The header names no known channel; the one that its word begins with decides, else the body is content.
pub const HARMONY_DEVIATION_UNKNOWN_CHANNEL: u32 = 9;
/// A header that never reaches `<|message|>`; its text is routed by its channel.
pub const HARMONY_DEVIATION_STRANDED_HEADER: u32 = 10;
/// More than 1,024 bytes of header text; the body begins there.
pub const HARMONY_DEVIATION_LONG_HEADER: u32 = 11;
/// Header text that belongs nowhere; it is dropped.
pub const HARMONY_DEVIATION_DROPPED_TEXT: u32 = 12;
/// `<|channel|>` in a body; it begins the next message.
pub const HARMONY_DEVIATION_CHANNEL_IN_BODY: u32 = 13;
/// A control token in a body that quotes nothing; it is dropped.
pub const HARMONY_DEVIATION_DROPPED_MARKER: u32 = 14;
/// A control token that may not be quoted, before text; it stays in the body.
pub const HARMONY_DEVIATION_QUOTED_MARKER: u32 = 15;
/// `<|message|>` at the very start of a body; it is dropped.
pub const HARMONY_DEVIATION_REPEATED_MESSAGE: u32 = 16;
/// The stream ended in a body that needs a terminator; its text stays.
pub const HARMONY_DEVIATION_UNTERMINATED: u32 = 17;
/// Arguments that are no JSON object; they are passed on, and the call is malformed.
pub const HARMONY_DEVIATION_MALFORMED_ARGUMENTS: u32 = 18;
/// The stream ended in the arguments; the call is incomplete.
pub const HARMONY_DEVIATION_INCOMPLETE_ARGUMENTS: u32 = 19;
/// A complete call that something other than `<|call|>` closed; it is complete.
pub const HARMONY_DEVIATION_WRONG_TERMINATOR: u32 = 20;

/// The visible answer.
pub const HARMONY_SURFACE_TEXT: u32 = 0;
/// The chain of thought.
pub const HARMONY_SURFACE_THINKING: u32 = 1;
/// The arguments of a tool call. Any file may stand in them, so only what lies behind the end of the arguments counts,
/// and without that end nothing does.
pub const HARMONY_SURFACE_TOOL_ARG: u32 = 2;

/// H: a literal control token; a signal by itself.
pub const HARMONY_CLASS_CONTROL: u32 = 1;
/// M: `to=functions.NAME`; only in company of one of the following.
pub const HARMONY_CLASS_MARKER: u32 = 2;
/// C: a channel or role word directly before a marker.
pub const HARMONY_CLASS_CHANNEL: u32 = 4;
/// G: a glitch word next to a marker.
pub const HARMONY_CLASS_GLITCH: u32 = 8;
/// S: a run of a foreign script in text that is otherwise ASCII.
pub const HARMONY_CLASS_SCRIPT: u32 = 16;
/// B: a marker, `code`, and another marker.
pub const HARMONY_CLASS_CASCADE: u32 = 32;
/// R: a made-up tool result.
pub const HARMONY_CLASS_RESULT: u32 = 64;
/// T: behind the end of the arguments.
pub const HARMONY_CLASS_TRAILING: u32 = 128;

/// The clean part of a tool call was run, and the rest asked for.
pub const HARMONY_ACTION_TRUNCATE_RESUME: u32 = 1;
/// The message was thrown away, and asked for again.
pub const HARMONY_ACTION_ABORT_RETRY: u32 = 2;
/// The host gave up and told the user.
pub const HARMONY_ACTION_ESCALATED: u32 = 3;

/// Both directions from one list.
macro_rules! numbers {
    ($Enum:ident, $to:ident, $from:ident, $($Variant:ident = $NUMBER:ident,)*) => {
        #[inline]
        pub(crate) fn $to(value: $Enum) -> u32 {
            #[allow(unreachable_patterns, reason = "some of the enums may grow, and 0 is a number of none")]
            match value {
                $($Enum::$Variant => $NUMBER,)*
                _ => 0,
            }
        }

        numbers! { $Enum, $from, $($Variant = $NUMBER,)* }
    };
    // Only from C.
    ($Enum:ident, $from:ident, $($Variant:ident = $NUMBER:ident,)*) => {
        #[inline]
        pub(crate) fn $from(number: u32) -> Option<$Enum> {
            match number {
                $($NUMBER => Some($Enum::$Variant),)*
                _ => None,
            }
        }
    };
}

numbers! { Channel, channel_number, channel,
    None = HARMONY_CHANNEL_NONE,
    Analysis = HARMONY_CHANNEL_ANALYSIS,
    Commentary = HARMONY_CHANNEL_COMMENTARY,
    Final = HARMONY_CHANNEL_FINAL,
    Other = HARMONY_CHANNEL_OTHER,
}

numbers! { Status, call_number, call,
    Complete = HARMONY_CALL_COMPLETE,
    Malformed = HARMONY_CALL_MALFORMED,
    Incomplete = HARMONY_CALL_INCOMPLETE,
}

numbers! { MessageEnd, end_number, end,
    End = HARMONY_END_END,
    Return = HARMONY_END_RETURN,
    Call = HARMONY_END_CALL,
    NextHeader = HARMONY_END_NEXT_HEADER,
    EndOfStream = HARMONY_END_OF_STREAM,
}

numbers! { Control, control_number, control,
    Start = HARMONY_CONTROL_START,
    End = HARMONY_CONTROL_END,
    Return = HARMONY_CONTROL_RETURN,
    Call = HARMONY_CONTROL_CALL,
    Channel = HARMONY_CONTROL_CHANNEL,
    Message = HARMONY_CONTROL_MESSAGE,
    Constrain = HARMONY_CONTROL_CONSTRAIN,
}

numbers! { DeviationKind, deviation_number, deviation,
    NoMessage = HARMONY_DEVIATION_NO_MESSAGE,
    StrayText = HARMONY_DEVIATION_STRAY_TEXT,
    StrayTerminator = HARMONY_DEVIATION_STRAY_TERMINATOR,
    StrayConstrain = HARMONY_DEVIATION_STRAY_CONSTRAIN,
    MissingHeader = HARMONY_DEVIATION_MISSING_HEADER,
    MissingStart = HARMONY_DEVIATION_MISSING_START,
    RepeatedStart = HARMONY_DEVIATION_REPEATED_START,
    HeaderOrder = HARMONY_DEVIATION_HEADER_ORDER,
    UnknownChannel = HARMONY_DEVIATION_UNKNOWN_CHANNEL,
    StrandedHeader = HARMONY_DEVIATION_STRANDED_HEADER,
    LongHeader = HARMONY_DEVIATION_LONG_HEADER,
    DroppedText = HARMONY_DEVIATION_DROPPED_TEXT,
    ChannelInBody = HARMONY_DEVIATION_CHANNEL_IN_BODY,
    DroppedMarker = HARMONY_DEVIATION_DROPPED_MARKER,
    QuotedMarker = HARMONY_DEVIATION_QUOTED_MARKER,
    RepeatedMessage = HARMONY_DEVIATION_REPEATED_MESSAGE,
    Unterminated = HARMONY_DEVIATION_UNTERMINATED,
    MalformedArguments = HARMONY_DEVIATION_MALFORMED_ARGUMENTS,
    IncompleteArguments = HARMONY_DEVIATION_INCOMPLETE_ARGUMENTS,
    WrongTerminator = HARMONY_DEVIATION_WRONG_TERMINATOR,
}

numbers! { Surface, surface,
    Text = HARMONY_SURFACE_TEXT,
    Thinking = HARMONY_SURFACE_THINKING,
    ToolArg = HARMONY_SURFACE_TOOL_ARG,
}

numbers! { Action, action,
    TruncateResume = HARMONY_ACTION_TRUNCATE_RESUME,
    AbortRetry = HARMONY_ACTION_ABORT_RETRY,
    Escalated = HARMONY_ACTION_ESCALATED,
}

#[cfg(test)]
mod tests {
    use super::*;
    use harmony::leak::{Class, Classes};

    #[test]
    fn deviations_are_numbered_from_1_in_their_order() {
        for (place, kind) in (1..).zip(DeviationKind::ALL) {
            assert_eq!((deviation_number(kind), deviation(place)), (place, Some(kind)));
        }
        let beyond = DeviationKind::ALL.len() as u32 + 1;
        assert_eq!((deviation(0), deviation(beyond)), (None, None));
    }

    #[test]
    fn controls_are_numbered_from_1_in_their_order() {
        for (place, token) in (1..).zip(Control::ALL) {
            assert_eq!((control_number(token), control(place)), (place, Some(token)));
        }
        assert_eq!((control(0), control(8)), (None, None));
    }

    #[test]
    fn every_number_comes_back() {
        (0..=4).for_each(|number| assert_eq!(channel(number).map(channel_number), Some(number)));
        (1..=3).for_each(|number| assert_eq!(call(number).map(call_number), Some(number)));
        (1..=5).for_each(|number| assert_eq!(end(number).map(end_number), Some(number)));
        assert_eq!((channel(5), call(0), call(4), end(0), end(6)), (None, None, None, None, None));
    }

    #[test]
    fn classes_are_the_core_s_bits() {
        let numbers = [
            HARMONY_CLASS_CONTROL,
            HARMONY_CLASS_MARKER,
            HARMONY_CLASS_CHANNEL,
            HARMONY_CLASS_GLITCH,
            HARMONY_CLASS_SCRIPT,
            HARMONY_CLASS_CASCADE,
            HARMONY_CLASS_RESULT,
            HARMONY_CLASS_TRAILING,
        ];
        for (class, number) in Class::ALL.into_iter().zip(numbers) {
            assert_eq!(u32::from(Classes::NONE.with(class).bits()), number);
        }
    }
}
