//! Whole turns, as models write them.

mod support;

use harmony_stream::{Collector, Options, Parser, Policy, parse_with};
use support::chunks::{self, Cut};
use support::drive::{Input, Outcome, collected, joined, run, text_feed};
use support::transcripts::{Transcript, transcripts};
use support::{contract, full};

fn expected(turn: &Transcript, policy: Policy) -> Outcome {
    let row = match (policy, &turn.lenient) {
        (Policy::Recover, Some(lenient)) => lenient,
        _ => &turn.expected,
    };
    Outcome::of_row(row, turn.text.as_bytes())
}

fn check<T: Input + Cut + ?Sized>(turn: &Transcript, text: &T, options: Options, policy: Policy) {
    let parsed = parse_with(text.as_ref(), options);
    assert_eq!(Outcome::of_parsed(&parsed), expected(turn, policy), "{} in one piece", turn.name);
    let (whole, transcript) = run(&text_feed(&[text]), options);
    contract::check(&whole, &transcript, policy);
    for (what, chunks) in chunkings(text) {
        let (events, transcript) = run(&text_feed(&chunks), options);
        assert_eq!(collected(&events), parsed, "{} {what}", turn.name);
        assert_eq!(joined(&events), joined(&whole), "{} {what}", turn.name);
        contract::check(&events, &transcript, policy);
    }
}

fn chunkings<T: Cut + ?Sized>(text: &T) -> Vec<(String, Vec<&T>)> {
    let sizes = if full() { (1..=64).collect() } else { vec![1, 4, 13, 16, 1000] };
    let random = if full() { 100 } else { 3 };
    let fixed = sizes.into_iter().map(|size| (format!("in chunks of {size}"), chunks::fixed(text, size)));
    let random = (0..random).map(|seed| (format!("cut by seed {seed}"), chunks::random(text, 30, seed)));
    fixed.chain(random).collect()
}

#[test]
fn verbatim() {
    for turn in transcripts() {
        check(&turn, turn.text.as_str(), Options::default(), Policy::Verbatim);
        check(&turn, turn.text.as_bytes(), Options::default(), Policy::Verbatim);
    }
}

#[test]
fn lenient() {
    for turn in transcripts() {
        check(&turn, turn.text.as_str(), Options::lenient(), Policy::Recover);
        check(&turn, turn.text.as_bytes(), Options::lenient(), Policy::Recover);
    }
}

/// A parser and a collector that are cloned in the middle of a stream go on by themselves, each with its own rest.
#[test]
fn clones_are_independent() {
    for turn in transcripts() {
        let half = turn.text.len() / 2;
        let (head, tail) = turn.text.as_bytes().split_at(half);
        let mut parser = Parser::<[u8]>::new(Options::lenient());
        let mut collector = Collector::<[u8]>::new();
        parser.push(head).expect("the first push").for_each(|event| collector.add(&event));
        let (mut other, mut other_collector) = (parser.clone(), collector.clone());
        parser.finish().expect("the first end").for_each(|event| collector.add(&event));
        other.push(tail).expect("it is open").for_each(|event| other_collector.add(&event));
        other.finish().expect("it is open").for_each(|event| other_collector.add(&event));
        assert_eq!(collector.finish(), parse_with(head, Options::lenient()), "{}", turn.name);
        let whole = parse_with(turn.text.as_bytes(), Options::lenient());
        assert_eq!(other_collector.finish(), whole.clone(), "{}", turn.name);
    }
}
