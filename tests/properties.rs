//! What holds for every text: random markup soups against the promises of the design.

mod naive;
mod support;

use harmony_stream::{Event, Input as InputKind, Options, Policy, Routing, Start, parse, parse_with};
use proptest::prelude::*;
use support::chunks::{self, Cut};
use support::drive::{
    Blob, Feed, Input, Outcome, Owned, as_bytes, collected, cut_texts, finish, joined, run, text_feed,
    token_feed,
};
use support::soup::{broken_soup, soup, token_soup};
use support::{accounts, contract, full};

/// `HARMONY_FULL_TESTS=1` runs fifty times as many cases.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: if full() { 50 * cases } else { cases },
        // A failure becomes a test of its own here, not a file beside it.
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

const ROUTINGS: [Routing; 2] = [Routing::CommentaryFunctions, Routing::AnyRecipient];
const POLICIES: [Policy; 2] = [Policy::Verbatim, Policy::Recover];

fn start() -> impl Strategy<Value = Start> {
    prop_oneof![
        4 => Just(Start::Detect),
        1 => Just(Start::AssistantHeader),
        1 => Just(Start::AnalysisBody),
        1 => Just(Start::FinalBody),
    ]
}

fn options(policy: Policy, routing: Routing, start: Start) -> Options {
    Options::default().policy(policy).routing(routing).start(start)
}

/// Every policy and routing, from one start.
fn all_options(start: Start) -> impl Iterator<Item = (Policy, Options)> {
    POLICIES.into_iter().flat_map(move |policy| {
        ROUTINGS.into_iter().map(move |routing| (policy, options(policy, routing, start)))
    })
}

/// One piece, single bytes, and cuts by chance: the same result, the same events but for where pieces are cut.
fn same_for_all_chunkings<T: Input + Cut + ?Sized>(
    text: &T,
    start: Start,
    seed: u64,
) -> Result<(), TestCaseError> {
    for (policy, options) in all_options(start) {
        let parsed = parse_with(text.as_ref(), options);
        let (whole, _) = run(&[Feed::Text(text)], options);
        let cuts = [
            vec![text],
            chunks::fixed(text, 1),
            chunks::random(text, 9, seed),
            chunks::random(text, 60, seed),
        ];
        for cut in cuts {
            let (events, transcript) = run(&text_feed(&cut), options);
            prop_assert_eq!(&transcript.0[..], text.as_ref());
            prop_assert_eq!(&collected(&events), &parsed, "{:?}", options);
            prop_assert_eq!(Outcome::of_events(&events), Outcome::of_parsed(&parsed), "{:?}", options);
            prop_assert_eq!(joined(&events), joined(&whole), "{:?}", options);
            contract::check(&events, &transcript, policy);
        }
    }
    Ok(())
}

fn deviations(events: &[Owned]) -> usize {
    events.iter().filter(|event| matches!(event, Event::Deviation { .. })).count()
}

/// The one exception to agreement: header text that passes the limit of what may be held.
fn may_pass_the_header_limit(text: &str) -> bool {
    text.len() > 1024
}

/// Recover is the verbatim policy where that succeeds, and has something to report where it fails.
fn recover_agrees<T: Input + ?Sized>(feed: &[Feed<'_, T>], with: Options) -> Result<(), TestCaseError> {
    let (verbatim, _) = run(feed, with.policy(Policy::Verbatim));
    let (recover, _) = run(feed, with.policy(Policy::Recover));
    if finish(&verbatim).failure.is_some() {
        prop_assert!(deviations(&recover) > 0, "{:?} failed, and recover reports nothing", with);
    } else {
        prop_assert_eq!(joined(&recover), joined(&verbatim), "{:?}", with);
        prop_assert_eq!(deviations(&recover), 0, "{:?}", with);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn verbatim_is_the_naive_grammar(text in soup()) {
        let expected = naive::parse(&text);
        let parsed = parse(&text[..]);
        let calls: Vec<(String, String)> = parsed
            .tool_calls
            .iter()
            .map(|call| (call.name.to_string(), call.arguments.to_string()))
            .collect();
        prop_assert_eq!(parsed.failed(), expected.failed);
        prop_assert_eq!(&*parsed.content, &expected.content);
        prop_assert_eq!(&*parsed.reasoning, &expected.reasoning);
        prop_assert_eq!(calls, expected.calls);
        prop_assert_eq!(harmony_stream::is_harmony(&text[..]), naive::is_harmony(&text));
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn chunks_of_str_do_not_matter(text in soup(), start in start(), seed: u64) {
        same_for_all_chunkings(&text[..], start, seed)?;
    }

    #[test]
    fn chunks_of_bytes_do_not_matter(text in broken_soup(), start in start(), seed: u64) {
        same_for_all_chunkings(&text.0[..], start, seed)?;
    }

    #[test]
    fn chunks_of_token_input_do_not_matter(items in token_soup(), start in start(), seed: u64) {
        let whole = token_feed(&items);
        for (policy, options) in all_options(start) {
            let options = options.input(InputKind::Tokens);
            let (expected, _) = run(&whole, options);
            let cut = cut_texts(&whole, |text| chunks::random(text, 5, seed));
            let of_bytes = cut_texts(&as_bytes(&whole), |text| chunks::random(text, 5, seed));
            for (events, transcript) in [run(&cut, options), run(&of_bytes, options)] {
                prop_assert_eq!(joined(&events), joined(&expected), "{:?}", options);
                contract::check(&events, &transcript, policy);
            }
        }
    }

    #[test]
    fn bytes_are_parsed_as_str_is(text in soup(), start in start()) {
        for (_, options) in all_options(start) {
            let (expected, _) = run(&[Feed::Text(&text[..])], options);
            let (events, _) = run(&[Feed::Text(text.as_bytes())], options);
            prop_assert_eq!(joined(&events), joined(&expected), "{:?}", options);
        }
    }

    #[test]
    fn recover_agrees_with_verbatim(text in soup(), start in start()) {
        prop_assume!(!may_pass_the_header_limit(&text));
        for routing in ROUTINGS {
            recover_agrees(&[Feed::Text(&text[..])], options(Policy::Recover, routing, start))?;
        }
    }

    #[test]
    fn recover_agrees_with_verbatim_on_tokens(items in token_soup(), start in start()) {
        let feed = token_feed(&items);
        let (_, Blob(transcript)) = run(&feed, Options::default().input(InputKind::Tokens));
        prop_assume!(transcript.len() <= 1024);
        for routing in ROUTINGS {
            recover_agrees(&feed, options(Policy::Recover, routing, start).input(InputKind::Tokens))?;
        }
    }

    #[test]
    fn recover_loses_nothing(text in soup(), start in start()) {
        for routing in ROUTINGS {
            let lost = accounts::check(&text[..], options(Policy::Recover, routing, start), start);
            prop_assert_eq!(lost, Ok(()), "{:?} {:?}", routing, start);
        }
    }

    #[test]
    fn recover_loses_no_broken_byte(text in broken_soup(), start in start()) {
        for routing in ROUTINGS {
            let lost = accounts::check(&text.0[..], options(Policy::Recover, routing, start), start);
            prop_assert_eq!(lost, Ok(()), "{:?} {:?}", routing, start);
        }
    }
}
