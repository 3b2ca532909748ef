//! Names of numbers, for logs and metrics. All are static strings; a number that means nothing is "unknown".

use std::ffi::{CStr, c_char};

use harmony::leak::{Action, Surface};
use harmony::{Channel, Control, DeviationKind, MessageEnd, Status};

use crate::numbers::*;
use crate::status::*;
use crate::{guard, numbers};

/// The name of a status: "ok", "finished".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_status_name(status: harmony_status) -> *const c_char {
    name(|| {
        Some(match status {
            HARMONY_OK => c"ok",
            HARMONY_MORE => c"more",
            HARMONY_NONE => c"none",
            HARMONY_CUT => c"cut",
            HARMONY_E_NULL => c"null",
            HARMONY_E_ARGUMENT => c"argument",
            HARMONY_E_FINISHED => c"finished",
            HARMONY_E_INPUT => c"input",
            HARMONY_E_LIMIT => c"limit",
            HARMONY_E_UTF8 => c"utf8",
            HARMONY_E_PANIC => c"panic",
            _ => return None,
        })
    })
}

/// The name of a kind of event (HARMONY_EVENT_): "tool_call_start".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_event_name(kind: u32) -> *const c_char {
    name(|| {
        Some(match kind {
            HARMONY_EVENT_MESSAGE_START => c"message_start",
            HARMONY_EVENT_CONTENT => c"content",
            HARMONY_EVENT_REASONING => c"reasoning",
            HARMONY_EVENT_TOOL_CALL_START => c"tool_call_start",
            HARMONY_EVENT_TOOL_CALL_ARGUMENTS => c"tool_call_arguments",
            HARMONY_EVENT_TOOL_CALL_END => c"tool_call_end",
            HARMONY_EVENT_MESSAGE_END => c"message_end",
            HARMONY_EVENT_DEVIATION => c"deviation",
            HARMONY_EVENT_ROLLBACK => c"rollback",
            HARMONY_EVENT_FINISH => c"finish",
            _ => return None,
        })
    })
}

/// The name of a channel (HARMONY_CHANNEL_): "analysis".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_channel_name(channel: u32) -> *const c_char {
    name(|| {
        Some(match numbers::channel(channel)? {
            Channel::None => c"none",
            Channel::Analysis => c"analysis",
            Channel::Commentary => c"commentary",
            Channel::Final => c"final",
            Channel::Other => c"other",
        })
    })
}

/// The name of how complete a call is (HARMONY_CALL_): "malformed".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_call_status_name(status: u32) -> *const c_char {
    name(|| {
        Some(match numbers::call(status)? {
            Status::Complete => c"complete",
            Status::Malformed => c"malformed",
            Status::Incomplete => c"incomplete",
        })
    })
}

/// The name of what ended a message (HARMONY_END_): "next_header".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_message_end_name(end: u32) -> *const c_char {
    name(|| {
        Some(match numbers::end(end)? {
            MessageEnd::End => c"end",
            MessageEnd::Return => c"return",
            MessageEnd::Call => c"call",
            MessageEnd::NextHeader => c"next_header",
            MessageEnd::EndOfStream => c"end_of_stream",
        })
    })
}

/// The name of a deviation (HARMONY_DEVIATION_): "stray_text".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_deviation_name(deviation: u32) -> *const c_char {
    name(|| numbers::deviation(deviation).map(|kind| deviation_texts(kind).0))
}

/// What is wrong, in words that complete "at byte N: ...".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_deviation_message(deviation: u32) -> *const c_char {
    name(|| numbers::deviation(deviation).map(|kind| deviation_texts(kind).1))
}

/// The name of a surface (HARMONY_SURFACE_): "tool_arg".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_surface_name(surface: u32) -> *const c_char {
    name(|| {
        Some(match numbers::surface(surface)? {
            Surface::Text => c"assistant_text",
            Surface::Thinking => c"assistant_thinking",
            Surface::ToolArg => c"tool_arg",
        })
    })
}

/// The name of what was done about a leak (HARMONY_ACTION_): "abort_retry".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_action_name(action: u32) -> *const c_char {
    name(|| {
        Some(match numbers::action(action)? {
            Action::TruncateResume => c"truncate_resume",
            Action::AbortRetry => c"abort_retry",
            Action::Escalated => c"escalated",
        })
    })
}

fn name(find: impl FnOnce() -> Option<&'static CStr>) -> *const c_char {
    let unknown = c"unknown";
    guard::guard(unknown, || find().unwrap_or(unknown)).as_ptr()
}

/// A constant of the core with the NUL that C wants.
macro_rules! c_text {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const BYTES: [u8; TEXT.len() + 1] = $crate::names::terminated(TEXT);
        const C_TEXT: &std::ffi::CStr = match std::ffi::CStr::from_bytes_with_nul(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("a NUL in a constant"),
        };
        C_TEXT
    }};
}
pub(crate) use c_text;

pub(crate) const fn terminated<const SIZE: usize>(text: &str) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    let mut at = 0;
    while at < text.len() {
        bytes[at] = text.as_bytes()[at];
        at += 1;
    }
    bytes
}

macro_rules! texts_of_deviations {
    ($($Kind:ident)*) => {
        /// Name and message.
        fn deviation_texts(kind: DeviationKind) -> (&'static CStr, &'static CStr) {
            match kind {
                $(DeviationKind::$Kind => (
                    c_text!(DeviationKind::$Kind.name()),
                    c_text!(DeviationKind::$Kind.message()),
                ),)*
                _ => (c"unknown", c"unknown"),
            }
        }
    };
}

texts_of_deviations! {
    NoMessage
    StrayText
    StrayTerminator
    StrayConstrain
    MissingHeader
    MissingStart
    RepeatedStart
    HeaderOrder
    UnknownChannel
    StrandedHeader
    LongHeader
    DroppedText
    ChannelInBody
    DroppedMarker
    QuotedMarker
    RepeatedMessage
    Unterminated
    MalformedArguments
    IncompleteArguments
    WrongTerminator
}

/// How a control token is spelled.
pub(crate) fn literal(control: Control) -> &'static CStr {
    match control {
        Control::Start => c_text!(Control::Start.literal()),
        Control::End => c_text!(Control::End.literal()),
        Control::Return => c_text!(Control::Return.literal()),
        Control::Call => c_text!(Control::Call.literal()),
        Control::Channel => c_text!(Control::Channel.literal()),
        Control::Message => c_text!(Control::Message.literal()),
        Control::Constrain => c_text!(Control::Constrain.literal()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deviation_has_its_texts() {
        for kind in DeviationKind::ALL {
            let (name, message) = deviation_texts(kind);
            assert_eq!((name.to_str(), message.to_str()), (Ok(kind.name()), Ok(kind.message())));
        }
    }

    /// As the core serialises them.
    #[test]
    fn names_are_those_of_json() {
        let json = |value: serde_json::Value| value.as_str().map(str::to_owned);
        let text = |name: *const c_char| {
            // SAFETY: all names are static strings.
            Some(unsafe { CStr::from_ptr(name) }.to_str().ok()?.to_owned())
        };
        for number in 0..=4 {
            let channel = numbers::channel(number).unwrap();
            assert_eq!(text(harmony_channel_name(number)), json(serde_json::json!(channel)));
        }
        for number in 1..=3 {
            let call = numbers::call(number).unwrap();
            assert_eq!(text(harmony_call_status_name(number)), json(serde_json::json!(call)));
        }
        for number in 1..=5 {
            let end = numbers::end(number).unwrap();
            assert_eq!(text(harmony_message_end_name(number)), json(serde_json::json!(end)));
        }
        assert_eq!(text(harmony_channel_name(99)).as_deref(), Some("unknown"));
    }

    #[test]
    fn names_of_the_leak_detector_are_the_core_s() {
        // SAFETY: all names are static strings.
        let text = |name: *const c_char| unsafe { CStr::from_ptr(name) }.to_str().unwrap();
        let surfaces = [Surface::Text, Surface::Thinking, Surface::ToolArg];
        for (number, surface) in (0..).zip(surfaces) {
            assert_eq!(numbers::surface(number), Some(surface));
            assert_eq!(text(harmony_surface_name(number)), surface.name());
        }
        let actions = [Action::TruncateResume, Action::AbortRetry, Action::Escalated];
        for (number, action) in (1..).zip(actions) {
            assert_eq!(numbers::action(number), Some(action));
            assert_eq!(text(harmony_action_name(number)), action.name());
        }
        assert_eq!((numbers::surface(3), numbers::action(0), numbers::action(4)), (None, None, None));
    }

    #[test]
    fn literals_are_the_core_s() {
        for control in Control::ALL {
            assert_eq!(literal(control).to_str(), Ok(control.literal()));
        }
    }
}
