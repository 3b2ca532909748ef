//! Nothing waits longer than it must, under the verbatim policy: what may be held, and when a failure is known.

mod naive;
mod support;

use harmony_stream::{Input, Options, Parser, Routing, Start};
use proptest::prelude::*;
use proptest::sample::select;
use support::drive::token_feed;
use support::prompt::{self, possible_marker};
use support::soup::{soup, token_soup};
use support::{full, is_space};

fn options() -> impl Strategy<Value = Options> {
    select(&[Routing::CommentaryFunctions, Routing::AnyRecipient][..])
        .prop_map(|routing| Options::default().routing(routing))
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
    fn what_the_page_allows_is_held(text in soup(), options in options()) {
        prop_assert_eq!(prompt::check(&text, options), Ok(()));
    }

    /// The same where control tokens come out of band.
    #[test]
    fn no_token_waits(items in token_soup(), options in options()) {
        prop_assert_eq!(prompt::check_tokens(&token_feed(&items), options.input(Input::Tokens)), Ok(()));
    }

    /// Where the prompt has begun the text, the same waits as if it were there to be read, and fails with the same byte.
    #[test]
    fn every_start_waits_as_its_prompt(text in soup(), options in options()) {
        for (start, prompt) in [
            (Start::AssistantHeader, "<|start|>assistant"),
            (Start::AnalysisBody, "<|start|>assistant<|channel|>analysis<|message|>"),
            (Start::FinalBody, "<|start|>assistant<|channel|>final<|message|>"),
        ] {
            if start == Start::AssistantHeader && text.trim_start_matches(is_space).starts_with("<|start|>") {
                continue; // It begins anew, as `Start::AssistantHeader` says.
            }
            let mut begun = Parser::<str>::new(options.start(start));
            let mut spelled = Parser::<str>::new(options);
            spelled.push(prompt).expect("it is open").for_each(drop);
            for (at, c) in text.char_indices() {
                let seen = &text[..at + c.len_utf8()];
                begun.push(&seen[at..]).expect("it is open").for_each(drop);
                spelled.push(&seen[at..]).expect("it is open").for_each(drop);
                prop_assert_eq!(begun.held(), spelled.held().min(seen.len()), "{:?}, after {:?}", start, seen);
                let fail = [&begun, &spelled].map(|parser| parser.summary().failure.is_some());
                prop_assert_eq!(fail[0], fail[1], "{:?}, after {:?}", start, seen);
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
