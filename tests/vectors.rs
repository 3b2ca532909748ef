//! Every row of the reference's vectors, one-shot and streamed, as `str` and as bytes.

mod support;

use std::fmt;

use harmony_stream::{Input as InputKind, Options, Policy, is_harmony, parse};
use support::chunks::{self, Cut};
use support::drive::{
    Feed, Input, Outcome, as_bytes, collected, cut_texts, finish, joined, run, text_feed, token_feed,
};
use support::vectors::{Row, rows};
use support::{contract, full};

/// One-shot, for both kinds of text.
fn check_whole(row: &Row) {
    let input = row.input();
    let expected = Outcome::of_row(row, input.as_bytes());
    assert_eq!(Outcome::of_parsed(&parse(input)), expected, "{}: {input:?}", row.id());
    assert_eq!(Outcome::of_parsed(&parse(input.as_bytes())), expected, "{}: {input:?} as bytes", row.id());
}

fn check_chunks<T: Input + Cut + ?Sized>(row: &Row, whole: &T, chunks: &[&T]) {
    let (events, transcript) = run(&text_feed(chunks), Options::default());
    let context = || format!("{}: {chunks:?}", row.id(), chunks = sizes(chunks));
    assert_eq!(Outcome::of_events(&events), Outcome::of_row(row, whole.as_ref()), "{}", context());
    assert_eq!(collected(&events), parse(whole.as_ref()), "{}: fold of the events and parse", context());
    contract::check(&events, &transcript, Policy::Verbatim);
}

fn sizes<T: Cut + ?Sized>(chunks: &[&T]) -> Vec<usize> {
    chunks.iter().map(|chunk| chunk.size()).collect()
}

/// Every split point of a short input, every small chunk size of any, and a few random cuts.
fn check_thoroughly<T: Input + Cut + ?Sized>(row: &Row, text: &T) {
    if text.size() <= 400 || full() {
        chunks::every_split(text).for_each(|chunks| check_chunks(row, text, &chunks));
    }
    for size in 1..=16 {
        check_chunks(row, text, &chunks::fixed(text, size));
    }
    check_random(row, text, 2);
}

fn check_random<T: Input + Cut + ?Sized>(row: &Row, text: &T, times: u64) {
    for seed in 0..times {
        check_chunks(row, text, &chunks::random(text, [3, 12, 40][seed as usize % 3], seed));
    }
}

#[test]
fn hand_made_rows() {
    for row in rows("harmony-cases.jsonl") {
        check_whole(&row);
        check_thoroughly(&row, row.input());
        check_thoroughly(&row, row.input().as_bytes());
    }
}

#[test]
fn random_rows() {
    let times = if full() { 30 } else { 2 };
    for row in rows("harmony-random.jsonl") {
        check_whole(&row);
        check_random(&row, row.input(), times);
        check_random(&row, row.input().as_bytes(), times);
    }
}

#[test]
fn the_cheap_gate() {
    for row in rows("harmony-cases.jsonl").iter().chain(&rows("harmony-random.jsonl")) {
        assert_eq!(is_harmony(row.input()), row.flag("is_harmony"), "{}: {:?}", row.id(), row.input());
    }
}

/// Each way to cut one text item in two, and all items into small chunks.
#[test]
fn token_rows() {
    for row in rows("tokens-cases.jsonl") {
        let items = row.items().expect("token input");
        let whole = token_feed(&items);
        check_tokens(&row, &whole);
        check_tokens(&row, &as_bytes(&whole));
    }
}

fn check_tokens<T: Input + Cut + fmt::Debug + ?Sized>(row: &Row, whole: &[Feed<'_, T>]) {
    for feed in cuts(whole) {
        let (events, transcript) = run(&feed, Options::default().input(InputKind::Tokens));
        let expected = Outcome::of_row(row, &transcript.0);
        assert_eq!(Outcome::of_events(&events), expected, "{}: {feed:?}", row.id());
        assert_eq!(Outcome::of_parsed(&collected(&events)), expected, "{}: {feed:?}", row.id());
        contract::check(&events, &transcript, Policy::Verbatim);
    }
}

fn cuts<'a, T: Cut + ?Sized>(whole: &[Feed<'a, T>]) -> Vec<Vec<Feed<'a, T>>> {
    let mut feeds: Vec<_> = (1..=16).map(|size| cut_texts(whole, |text| chunks::fixed(text, size))).collect();
    for (at, piece) in whole.iter().enumerate() {
        if let Feed::Text(text) = piece {
            feeds.extend(chunks::every_split(*text).map(|halves| {
                let mut feed = whole.to_vec();
                feed.splice(at..=at, text_feed(&halves));
                feed
            }));
        }
    }
    feeds.push(whole.to_vec());
    feeds
}

/// What happened, not only what came out, is the same for every chunking.
#[test]
fn events_do_not_depend_on_the_chunks() {
    for row in rows("harmony-cases.jsonl") {
        let (whole, _) = run(&[Feed::Text(row.input())], Options::default());
        for size in [1, 3, 7, 16] {
            let (cut, _) = run(&text_feed(&chunks::fixed(row.input(), size)), Options::default());
            assert_eq!(joined(&cut), joined(&whole), "{} in chunks of {size}", row.id());
        }
        assert_eq!(finish(&whole).failure.is_some(), row.failed(), "{}", row.id());
    }
}
