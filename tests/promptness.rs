//! Nothing waits longer than it must, under the verbatim policy: what may be held, and when a failure is known.

mod naive;
mod support;

use harmony_stream::{Options, Parser};
use proptest::prelude::*;
use support::soup::soup;
use support::{accounts, full};

const MARKERS: [&str; 7] =
    ["<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>"];

/// How many bytes at the end of `text` may become a marker.
fn possible_marker(text: &str) -> usize {
    let may_become = |length: &usize| {
        text.get(text.len() - length..).is_some_and(|tail| {
            MARKERS.iter().any(|marker| marker.len() > tail.len() && marker.starts_with(tail))
        })
    };
    (1..=12.min(text.len())).rev().find(may_become).unwrap_or(0)
}

/// The last marker of `text`, where it begins, and what is behind it.
fn last_marker(text: &str) -> Option<(&'static str, usize, &str)> {
    let (at, marker) = MARKERS.iter().filter_map(|marker| Some((text.rfind(marker)?, *marker))).max()?;
    Some((marker, at, &text[at + marker.len()..]))
}

fn blank(text: &str) -> bool {
    text.chars().all(is_space)
}

fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// How much of `text`, which has not failed, the design page allows to be held.
fn allowance(text: &str) -> usize {
    let marker = possible_marker(text);
    let known = &text[..text.len() - marker];
    marker + known.len() - settled(known)
}

fn settled(text: &str) -> usize {
    let Some((marker, at, behind)) = last_marker(text) else {
        // Blank leading text.
        return if blank(text) { 0 } else { text.len() };
    };
    match marker {
        // A body. White space behind a complete object is no part of it, and waits.
        "<|message|>" => text.trim_end_matches(is_space).len(),
        "<|end|>" | "<|return|>" | "<|call|>" if blank(behind) => at,
        "<|end|>" | "<|return|>" | "<|call|>" => text.trim_end_matches(is_space).len(),
        _ => header_start(text),
    }
}

/// Where the header that `text` ends in begins; or the marker in a body that may begin one.
fn header_start(text: &str) -> usize {
    let mut start = text.len();
    for allowed in [&["<|constrain|>"][..], &["<|channel|>"], &["<|start|>"]] {
        match last_marker(&text[..start]) {
            Some((marker, at, _)) if allowed.contains(&marker) => start = at,
            _ => {}
        }
    }
    start
}

/// Endings of which one makes a good turn of any text that is not beyond hope, if it ends in no arguments.
fn endings(text: &str) -> Vec<String> {
    let mut endings = vec![String::new(), "<|end|>".to_owned(), "x<|end|>".to_owned()];
    endings.push("<|channel|>final<|message|>".to_owned());
    let mut with_header = |rest: &str| {
        endings.push(format!("{rest}<|message|><|end|>"));
        endings.push(format!("{rest}<|message|>{{}}<|call|>"));
    };
    // A channel's name may have begun; a recipient may have to be kept from growing.
    ["", "x", " x"].into_iter().for_each(&mut with_header);
    for channel in ["analysis", "commentary", "final"] {
        let begun = (0..=channel.len()).filter(|&begun| text.ends_with(&channel[..begun]));
        begun.for_each(|begun| with_header(&channel[begun..]));
    }
    endings
}

/// Such a text may end in the arguments of a call, and what may follow in JSON is the recogniser's own test.
fn may_end_in_arguments(text: &str) -> bool {
    text.contains("to=functions.") && text.contains("commentary")
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if full() { 20_000 } else { 500 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// After every character.
    #[test]
    fn no_more_is_held_than_allowed(text in soup()) {
        let mut parser = Parser::<str>::new(Options::default());
        let mut spans = Vec::new();
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            spans.extend(accounts::texts(parser.push(&text[at..end]).expect("it is open")));
            let allowed = if parser.summary().failure.is_some() { 0 } else { allowance(&text[..end]) };
            prop_assert!(parser.held() <= allowed, "{} > {allowed} after {:?}", parser.held(), &text[..end]);
            if parser.summary().failure.is_none() {
                prop_assert_eq!(accounts::check_settled(&parser, &spans), Ok(()), "after {:?}", &text[..end]);
            }
        }
    }

    /// Bytes may wait for the rest of a character besides.
    #[test]
    fn bytes_wait_for_the_rest_of_a_character_only(text in soup()) {
        let mut of_bytes = Parser::<[u8]>::new(Options::default());
        let mut of_str = Parser::<str>::new(Options::default());
        for (at, c) in text.char_indices() {
            let before = of_str.held();
            for (n, &byte) in text.as_bytes()[at..at + c.len_utf8()].iter().enumerate() {
                of_bytes.push(&[byte]).expect("it is open").for_each(drop);
                prop_assert!(of_bytes.held() <= before + n + 1);
            }
            of_str.push(&text[at..at + c.len_utf8()]).expect("it is open").for_each(drop);
            prop_assert_eq!(of_bytes.held(), of_str.held());
        }
    }

    /// Once it has failed nothing could have saved it; until then something could.
    #[test]
    fn failure_comes_with_the_byte_that_proves_it(text in soup(), other in soup()) {
        let mut parser = Parser::<str>::new(Options::default());
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            let seen = &text[..end];
            parser.push(&text[at..end]).expect("it is open").for_each(drop);
            if parser.summary().failure.is_some() {
                for ending in endings(seen).iter().chain([&other]) {
                    prop_assert!(naive::parse(&format!("{seen}{ending}")).failed, "{seen:?} failed before {ending:?}");
                }
                break;
            }
            if possible_marker(seen) == 0 && !may_end_in_arguments(seen) {
                let saved = endings(seen).iter().any(|ending| !naive::parse(&format!("{seen}{ending}")).failed);
                prop_assert!(saved, "{seen:?} is beyond hope, and did not fail");
            }
        }
    }
}
