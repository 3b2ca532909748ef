//! However a stream is cut, its events are the same: both policies, both inputs, `str` and bytes.

use harmony_stream::Policy;

use crate::input;
use crate::support::chunks;
use crate::support::contract;
use crate::support::drive::{Feed, joined, run, text_feed};

/// Cut events against whole ones.
pub fn check(data: &[u8]) {
    let Some((byte, rest)) = input::split(data) else { return };
    let options = input::options(byte);
    let cut = input::feed(rest, input::tokens(byte));
    let parts = input::whole(&cut);
    let mut whole: Vec<Feed<'_, [u8]>> = Vec::new();
    for (text, control) in &parts {
        whole.push(Feed::Text(text));
        whole.extend(control.map(Feed::Control));
    }
    let (expected, transcript) = run(&whole, options);
    contract::check(&expected, &transcript, input::policy(byte));
    let (events, _) = run(&cut, options);
    contract::check(&events, &transcript, input::policy(byte));
    assert_eq!(joined(&events), joined(&expected));
    if !input::tokens(byte) {
        as_text(rest, byte, input::policy(byte));
    }
}

/// The same through `str`.
fn as_text(rest: &[u8], byte: u8, policy: Policy) {
    let Some((text, points)) = input::text(rest) else { return };
    let options = input::options(byte);
    let (expected, _) = run(&[Feed::Text(text.as_bytes())], options);
    let (events, transcript) = run(&text_feed(&chunks::at(&text[..], points)), options);
    contract::check(&events, &transcript, policy);
    assert_eq!(joined(&events), joined(&expected));
}
