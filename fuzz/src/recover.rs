//! The recover policy loses nothing, takes nothing back, and is the verbatim policy where that succeeds.

use harmony_stream::{Event, Policy};

use crate::input;
use crate::support::drive::{finish, joined, run};
use crate::support::{accounts, contract};

/// Longer header text may wait no longer, so the policies may differ.
const HEADER_LIMIT: usize = 1024;

/// Accounting, and agreement.
pub fn check(data: &[u8]) {
    let Some((byte, rest)) = input::split(data) else { return };
    let options = input::options(byte);
    let feed = input::feed(rest, input::tokens(byte));
    let (recover, transcript) = run(&feed, options.policy(Policy::Recover));
    contract::check(&recover, &transcript, Policy::Recover);
    if !input::tokens(byte) {
        let recover = options.policy(Policy::Recover);
        accounts::check(&transcript.0[..], recover, input::start(byte)).expect("every byte is somewhere");
    }
    if transcript.0.len() > HEADER_LIMIT {
        return;
    }
    let (verbatim, _) = run(&feed, options.policy(Policy::Verbatim));
    let deviates = recover.iter().any(|event| matches!(event, Event::Deviation { .. }));
    if finish(&verbatim).failure.is_some() {
        assert!(deviates, "verbatim fails, and recover reports nothing");
    } else {
        assert!(!deviates, "verbatim succeeds, and recover reports something");
        assert_eq!(joined(&recover), joined(&verbatim));
    }
}
