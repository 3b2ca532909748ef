//! Escaped text holds no marker, alone or joined to other escaped text, and comes back.

use harmony_stream::{Control, Options, escape, parse_with, unescape};

use crate::input;

/// Each piece escaped on its own, then all joined.
pub fn check(data: &[u8]) {
    let Some((text, points)) = input::text(data) else { return };
    let mut joined = String::new();
    for piece in crate::support::chunks::at(&text[..], points) {
        let safe = escape(piece);
        assert_eq!(unescape(&safe), piece);
        joined.push_str(&safe);
    }
    for control in Control::ALL {
        assert!(!joined.contains(control.literal()), "{joined:?}");
    }
    let message = format!("<|channel|>final<|message|>{joined}<|return|>");
    let parsed = parse_with(&message[..], Options::default());
    assert!(!parsed.failed());
    assert_eq!(parsed.content, joined);
}
