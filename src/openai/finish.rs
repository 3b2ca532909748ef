//! The finish reason that fits what was found, and the ids of calls.

use alloc::format;
use alloc::string::String;
use core::fmt::Write;

use sha2::{Digest, Sha256};

use super::Summary;

/// What the upstream's finish reason should be instead, if anything.
///
/// `tool_calls` says: run the calls. So it needs a complete one, and none that was cut. `length`, `content_filter`
/// and whatever else an upstream says count more than that.
pub(crate) fn finish_reason(upstream: &str, found: &Summary) -> Option<&'static str> {
    let callable = found.complete_calls > 0 && found.incomplete_calls == 0;
    match upstream {
        "stop" if callable => Some("tool_calls"),
        "tool_calls" | "function_call" if !callable => Some("stop"),
        _ => None,
    }
}

/// `call_` and 24 hexadecimal digits: the start of the SHA-256 of `source`, the choice and the call.
///
/// The same response gives the same ids, streamed or not; another response gives others, as long as its `source`
/// (id and time of creation) is another. No longer than the 40 bytes that OpenAI's own API accepts.
pub(crate) fn call_id(source: &str, choice: u64, call: u32) -> String {
    let digest = Sha256::digest(format!("{source}\n{choice}\n{call}"));
    let mut id = String::from("call_");
    for byte in &digest[..12] {
        write!(id, "{byte:02x}").expect("a String takes everything");
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_calls_needs_a_complete_call_and_none_cut() {
        let found = |complete_calls, malformed_calls, incomplete_calls| Summary {
            complete_calls,
            malformed_calls,
            incomplete_calls,
            ..Summary::default()
        };
        assert_eq!(finish_reason("stop", &found(1, 1, 0)), Some("tool_calls"));
        assert_eq!(finish_reason("stop", &found(0, 1, 0)), None);
        assert_eq!(finish_reason("stop", &found(1, 0, 1)), None);
        assert_eq!(finish_reason("length", &found(1, 0, 0)), None);
        assert_eq!(finish_reason("tool_calls", &found(1, 0, 0)), None);
        assert_eq!(finish_reason("tool_calls", &found(1, 0, 1)), Some("stop"));
        assert_eq!(finish_reason("content_filter", &found(1, 0, 0)), None);
    }

    #[test]
    fn ids_are_short_and_tell_calls_apart() {
        let id = call_id("chatcmpl-1", 0, 0);
        assert_eq!(id, call_id("chatcmpl-1", 0, 0));
        assert_eq!(id.len(), 29);
        for other in [call_id("chatcmpl-2", 0, 0), call_id("chatcmpl-1", 1, 0), call_id("chatcmpl-1", 0, 1)] {
            assert_ne!(id, other);
        }
    }
}
