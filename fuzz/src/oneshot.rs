//! A stream folded is what the one-shot parse gives.

use harmony_stream::parse_with;

use crate::input;
use crate::support::drive::{Outcome, collected, run};

/// Streaming against one-shot, by the crate's fold and by the tests' own.
pub fn check(data: &[u8]) {
    let Some((byte, rest)) = input::split(data) else { return };
    let options = input::options(byte & !0x10);
    let (events, transcript) = run(&input::feed(rest, false), options);
    let parsed = parse_with(&transcript.0[..], options);
    assert_eq!(collected(&events), parsed);
    assert_eq!(Outcome::of_events(&events), Outcome::of_parsed(&parsed));
    if let Ok(text) = std::str::from_utf8(&transcript.0) {
        assert_eq!(Outcome::of_parsed(&parse_with(text, options)), Outcome::of_parsed(&parsed));
    }
}
