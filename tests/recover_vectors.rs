//! Every row of the recover policy's vectors, one-shot and streamed, as `str` and as bytes.

mod support;

use std::fmt;

use harmony_stream::{Input as InputKind, Options, Policy, Routing, Start, parse_with};
use support::chunks::{self, Cut};
use support::drive::{
    Feed, Input, Outcome, as_bytes, collected, cut_texts, joined, run, text_feed, token_feed,
};
use support::vectors::{Row, rows};
use support::{contract, full};

fn policy(row: &Row) -> Policy {
    match row.has("policy").then(|| row.text("policy")) {
        None | Some("recover") => Policy::Recover,
        Some("verbatim") => Policy::Verbatim,
        Some(other) => panic!("policy {other}"),
    }
}

fn routing(row: &Row) -> Routing {
    match row.has("routing").then(|| row.text("routing")) {
        None | Some("any_recipient") => Routing::AnyRecipient,
        Some("commentary_functions") => Routing::CommentaryFunctions,
        Some(other) => panic!("routing {other}"),
    }
}

fn start(row: &Row) -> Start {
    match row.text("start") {
        "detect" => Start::Detect,
        "assistant_header" => Start::AssistantHeader,
        "analysis_body" => Start::AnalysisBody,
        "final_body" => Start::FinalBody,
        other => panic!("start {other}"),
    }
}

fn options(row: &Row) -> Options {
    Options::default().policy(policy(row)).routing(routing(row)).start(start(row))
}

fn check<T: Input + Cut + ?Sized>(row: &Row, text: &T) {
    let options = options(row);
    let parsed = parse_with(text.as_ref(), options);
    assert_eq!(
        Outcome::of_parsed(&parsed),
        Outcome::of_row(row, text.as_ref()),
        "{}: {text:?}",
        row.id(),
        text = row.input()
    );
    let (whole, _) = run(&text_feed(&[text]), options);
    let mut check = |chunks: Vec<&T>| {
        let (events, transcript) = run(&text_feed(&chunks), options);
        let sizes: Vec<usize> = chunks.iter().map(|chunk| chunk.size()).collect();
        assert_eq!(collected(&events), parsed, "{} in chunks of {sizes:?}", row.id());
        assert_eq!(joined(&events), joined(&whole), "{} in chunks of {sizes:?}", row.id());
        contract::check(&events, &transcript, policy(row));
    };
    if text.size() <= 400 || full() {
        chunks::every_split(text).for_each(&mut check);
    }
    (1..=16).for_each(|size| check(chunks::fixed(text, size)));
    (0..8).for_each(|seed| check(chunks::random(text, 20, seed)));
}

fn check_tokens<T: Input + Cut + fmt::Debug + ?Sized>(row: &Row, whole: &[Feed<'_, T>]) {
    let options = options(row).input(InputKind::Tokens);
    let expected = run(whole, options).0;
    let cuts = (1..=16).map(|size| cut_texts(whole, |text| chunks::fixed(text, size)));
    for feed in cuts.chain([whole.to_vec()]) {
        let (events, transcript) = run(&feed, options);
        let outcome = Outcome::of_row(row, &transcript.0);
        assert_eq!(Outcome::of_parsed(&collected(&events)), outcome, "{}: {feed:?}", row.id());
        assert_eq!(joined(&events), joined(&expected), "{}: {feed:?}", row.id());
        contract::check(&events, &transcript, policy(row));
    }
}

fn check_file(file: &str) {
    for row in rows(file) {
        if let Some(items) = row.items() {
            let whole = token_feed(&items);
            check_tokens(&row, &whole);
            check_tokens(&row, &as_bytes(&whole));
        } else {
            check(&row, row.input());
            check(&row, row.input().as_bytes());
        }
    }
}

#[test]
fn cases() {
    check_file("recover-cases.jsonl");
}

#[test]
fn more() {
    check_file("recover-more.jsonl");
}
