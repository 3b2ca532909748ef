//! The contract of events, for every chunking: what comes when, and what a parser is after it.

mod support;

use std::panic::catch_unwind;

use harmony_stream::{
    Bytes, Channel, Control, DeviationKind, Event, Failure, Finish, Input, MessageEnd, Options, Parser,
    Policy, Status,
};
use support::chunks;
use support::contract;
use support::drive::{Blob, Owned, finish, joined, run, text_feed};
use support::transcripts::transcripts;
use support::vectors::rows;

const POLICIES: [Policy; 2] = [Policy::Verbatim, Policy::Recover];

/// Hand-made rows, transcripts, and a few texts that are in neither.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = ["harmony-cases.jsonl", "recover-cases.jsonl"]
        .into_iter()
        .flat_map(rows)
        .map(|row| row.input().to_owned())
        .collect();
    texts.extend(transcripts().into_iter().map(|turn| turn.text));
    texts.extend(["", " ", "<|", "<|channel|>final<|message|>"].map(str::to_owned));
    assert!(texts.len() > 500);
    texts
}

fn options(policy: Policy) -> Options {
    Options::default().policy(policy)
}

fn owned(event: Event<&str>) -> Owned {
    event.map(Blob::from)
}

/// All events of the parser's stream from here on: `text`, then the end.
fn rest(parser: &mut Parser<str>, text: &str) -> Vec<Owned> {
    let mut events: Vec<Owned> = parser.push(text).expect("it is open").map(owned).collect();
    events.extend(parser.finish().expect("it is open").map(owned));
    events
}

#[test]
fn every_stream_keeps_the_contract_in_any_chunks() {
    for text in texts() {
        for policy in POLICIES {
            let (whole, transcript) = run(&text_feed(&[&text[..]]), options(policy));
            contract::check(&whole, &transcript, policy);
            for size in [1, 2, 3, 7, 64] {
                let (events, transcript) = run(&text_feed(&chunks::fixed(&text[..], size)), options(policy));
                assert_eq!(transcript, Blob::from(&text[..]));
                contract::check(&events, &transcript, policy);
                assert_eq!(joined(&events), joined(&whole), "{text:?} in chunks of {size}");
            }
        }
    }
}

fn content(piece: &str) -> Owned {
    Event::Content { text: piece.into() }
}

/// The end of a stream with so many bytes of content outside of messages.
fn end(other: usize, failed: bool) -> Owned {
    let failure = failed.then_some(Failure { kind: DeviationKind::NoMessage, offset: 2 });
    let bytes = Bytes { other, ..Bytes::default() };
    Event::Finish(Finish { failure, bytes, ..Finish::default() })
}

/// What the check says of a stream whose transcript is "ab".
fn complaint(events: &[Owned]) -> Option<String> {
    let events = events.to_vec();
    let panic = catch_unwind(move || contract::check(&events, &"ab".into(), Policy::Verbatim)).err()?;
    Some(panic.downcast_ref::<String>()?.split(": ").next()?.to_owned())
}

/// The check above would be worth nothing if it let such streams pass.
#[test]
fn the_check_sees_what_breaks_the_contract() {
    let start = || Event::MessageStart { channel: Channel::Final, recipient: None };
    let close = || Event::MessageEnd { end: MessageEnd::End };
    let call = |index| Event::ToolCallStart { index, name: "f".into(), recipient: "functions.f".into() };
    let piece = |text: &str| Event::ToolCallArguments { index: 0, text: text.into() };
    let called = |index, arguments: &str| Event::ToolCallEnd {
        index,
        arguments: arguments.into(),
        status: Status::Complete,
    };
    let broken: Vec<(&str, Vec<Owned>)> = vec![
        ("one Finish, the last event", vec![content("ab")]),
        ("one Finish, the last event", vec![content("ab"), end(2, true), end(2, true)]),
        ("one Finish, the last event", vec![end(2, true), content("ab")]),
        ("a message begins in a message", vec![start(), start(), close(), end(0, false)]),
        ("the stream ends in a message", vec![start(), end(0, false)]),
        ("a message ends that is not open", vec![close(), end(0, false)]),
        ("reasoning outside of a message", vec![Event::Reasoning { text: "a".into() }, end(1, false)]),
        ("a call begins outside of a message", vec![call(0), end(0, false)]),
        ("a message ends that is not open", vec![start(), call(0), close(), end(0, false)]),
        ("arguments of no open call", vec![start(), piece("{}"), close(), end(0, false)]),
        ("a call ends that is not open", vec![start(), called(0, "{}"), close(), end(0, false)]),
        ("content in a call", vec![start(), call(0), content("a"), called(0, "{}"), close(), end(1, false)]),
        ("calls are counted one by one", vec![start(), call(1), called(1, ""), close(), end(0, false)]),
        (
            "the end of a call has other arguments",
            vec![start(), call(0), piece("{"), called(0, "{}"), close(), end(1, false)],
        ),
        ("an empty piece", vec![content(""), end(0, false)]),
        (
            "a rollback without a failure",
            vec![start(), close(), Event::Rollback, content("ab"), end(2, false)],
        ),
        (
            "a rollback that takes nothing back",
            vec![content("a"), Event::Rollback, content("ab"), end(2, true)],
        ),
        (
            "after a rollback there is content only",
            vec![start(), Event::Rollback, Event::Rollback, content("ab"), end(2, true)],
        ),
        ("the transcript follows a rollback", vec![start(), Event::Rollback, content("a"), end(1, true)]),
        ("a failed stream is its transcript and nothing else", vec![content("b"), end(1, true)]),
        ("bytes by channel add up to the text", vec![content("a"), content("b"), end(1, true)]),
    ];
    for (reason, events) in broken {
        assert_eq!(complaint(&events).as_deref(), Some(reason), "{events:?}");
    }
    assert_eq!(complaint(&[content("a"), content("b"), end(2, true)]), None);
}

#[test]
fn text_that_is_its_own_content_is_never_rolled_back() {
    for text in ["plain", "a < b <| c", "Hi.<|end|>", " <|end|>x", "a<|message|>b", "<|end|>", "x <|sta"] {
        for size in 1..=text.len() {
            let (events, _) = run(&text_feed(&chunks::fixed(text, size)), Options::default());
            assert!(finish(&events).failure.is_some(), "{text:?}");
            assert!(!events.contains(&Event::Rollback), "{text:?}: {events:?}");
        }
    }
}

#[test]
fn what_is_no_prefix_is_rolled_back_once() {
    let texts = [
        "<|channel|>final<|message|>a<|message|>b<|message|>c",
        "<|channel|>analysis<|message|>a",
        "a<|channel|>final<|message|>b<|end|>c<|channel|>",
        "<|channel|>commentary to=functions.f<|message|>{\"a\":x}<|end|><|call|>",
    ];
    for text in texts {
        for size in 1..=text.len() {
            let (events, _) = run(&text_feed(&chunks::fixed(text, size)), Options::default());
            let rollbacks = events.iter().filter(|event| **event == Event::Rollback).count();
            assert_eq!(rollbacks, 1, "{text:?} in chunks of {size}: {events:?}");
        }
    }
}

/// Everything a caller can see of a parser that has no events waiting.
fn state(parser: &Parser<str>) -> (String, usize, bool, Finish) {
    (parser.transcript().to_owned(), parser.held(), parser.finished(), parser.summary())
}

#[test]
fn after_finish_a_push_is_an_error_and_changes_nothing() {
    for text in ["", "plain", "<|channel|>final<|message|>a<|return|>", "<|channel|>final<|message|>a<|"] {
        for policy in POLICIES {
            let mut parser = Parser::<str>::new(options(policy));
            rest(&mut parser, text);
            let before = state(&parser);
            for more in ["", "x", "<|end|>"] {
                assert!(parser.push(more).is_err());
            }
            assert!(parser.finish().is_err());
            assert_eq!(parser.events().next(), None);
            assert_eq!(state(&parser), before);
        }
    }
}

/// In the middle of a stream, behind its end, with events that nobody took.
#[test]
fn reset_makes_it_as_new() {
    for (n, text) in texts().iter().enumerate() {
        for policy in POLICIES {
            let mut parser = Parser::<str>::new(options(policy));
            let cut = chunks::random(&text[..], text.len().max(1), n as u64);
            parser.push(cut[0]).expect("it is open");
            if n % 3 == 0 {
                parser.finish().expect("it is open");
            }
            parser.reset();
            assert_eq!(state(&parser), state(&Parser::<str>::new(options(policy))), "{text:?}");
            let again = rest(&mut parser, text);
            assert_eq!(
                again,
                run(&text_feed(&[&text[..]]), options(policy)).0,
                "{text:?} after {:?}",
                cut[0]
            );
        }
    }
}

/// Nothing of one stream shows in the next, whichever they are.
#[test]
fn streams_in_one_parser_do_not_meet() {
    let texts = texts();
    for policy in POLICIES {
        let mut parser = Parser::<str>::new(options(policy));
        for text in &texts {
            parser.reset();
            assert_eq!(rest(&mut parser, text), run(&text_feed(&[&text[..]]), options(policy)).0, "{text:?}");
        }
    }
}

/// At every place, with the events so far not taken. The original is not disturbed by what the clone does.
#[test]
fn a_clone_goes_on_the_same() {
    for text in texts().iter().filter(|text| text.len() <= 400) {
        for policy in POLICIES {
            let (whole, _) = run(&text_feed(&[&text[..]]), options(policy));
            for (at, _) in text.char_indices() {
                let mut parser = Parser::<str>::new(options(policy));
                parser.push(&text[..at]).expect("it is open");
                let mut clone = parser.clone();
                let of_clone = rest(&mut clone, &text[at..]);
                assert!(!parser.finished());
                assert_eq!(rest(&mut parser, &text[at..]), of_clone, "{text:?} at {at}");
                assert_eq!(joined(&of_clone), joined(&whole), "{text:?} at {at}");
                assert_eq!(state(&clone), state(&parser));
            }
        }
    }
}

/// However few are taken each time, they come in their order and none is lost.
#[test]
fn events_left_come_first_the_next_time() {
    for text in texts().iter().filter(|text| text.len() <= 2000) {
        for policy in POLICIES {
            let chunks = chunks::fixed(&text[..], 5);
            let (expected, _) = run(&text_feed(&chunks), options(policy));
            for take in [0, 1, 2] {
                let mut parser = Parser::<str>::new(options(policy));
                let mut events: Vec<Owned> = Vec::new();
                for chunk in &chunks {
                    let mut new = parser.push(chunk).expect("it is open");
                    let (before, (least, most)) = (new.len(), new.size_hint());
                    assert_eq!((before, Some(before)), (least, most));
                    events.extend(new.by_ref().take(take).map(owned));
                    assert_eq!(new.len(), before - take.min(before));
                }
                parser.finish().expect("it is open");
                events.extend(parser.events().map(owned));
                assert_eq!(events, expected, "{text:?}, {take} taken each time");
                assert_eq!(parser.events().next(), None);
            }
        }
    }
}

/// The position that comes with a span: how much of the stream had come. It never goes back, and no event speaks of
/// text that had not come.
#[test]
fn positions_do_not_go_back() {
    for text in texts() {
        for policy in POLICIES {
            let mut parser = Parser::<str>::new(options(policy));
            let mut last = 0;
            for chunk in chunks::fixed(&text[..], 3) {
                let mut events = parser.push(chunk).expect("it is open");
                while let Some((event, position)) = events.next_span() {
                    assert!(last <= position && position <= text.len(), "{text:?}: {event:?} at {position}");
                    if let Event::Content { text: span } | Event::Reasoning { text: span } = event {
                        assert!(span.end <= position, "{text:?}: {event:?} at {position}");
                    }
                    last = position;
                }
            }
        }
    }
}

#[test]
fn text_never_splits_a_character() {
    let text = "<|channel|>analysis<|message|>日本語 🦀é<|end|><|channel|>final<|message|>🇳🇴 naïve";
    let (whole, _) = run(&text_feed(&[text.as_bytes()]), Options::default());
    for size in 1..=9 {
        let (events, _) = run(&text_feed(&chunks::fixed(text.as_bytes(), size)), Options::default());
        for event in &events {
            if let Event::Content { text } | Event::Reasoning { text } = event {
                assert!(std::str::from_utf8(&text.0).is_ok(), "{event:?} in chunks of {size}");
            }
        }
        assert_eq!(joined(&events), joined(&whole));
    }
}

#[test]
fn control_tokens_are_the_literals_of_the_transcript() {
    let mut parser = Parser::<str>::new(Options::default().input(Input::Tokens));
    let mut expected = String::new();
    for control in Control::ALL {
        parser.push("<|end|>").expect("it is open");
        parser.push_control(control).expect("it is open");
        expected = expected + "<|end|>" + control.literal();
        assert_eq!(parser.transcript(), expected);
    }
}
