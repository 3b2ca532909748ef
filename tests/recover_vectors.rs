//! Every row of the recover policy's vectors, one-shot and streamed, as `str` and as bytes.

mod support;

use harmony_stream::{Input as InputKind, Options, Policy, Routing, Start, parse_with};
use support::chunks::{self, Cut};
use support::drive::{Feed, Input, Outcome, collected, joined, run, text_feed, token_feed};
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

fn check_tokens(row: &Row) {
    let options = options(row).input(InputKind::Tokens);
    let items = row.items().expect("token input");
    let whole = token_feed(&items);
    for size in (1..=16).chain([usize::MAX]) {
        let feed = cut_all(&whole, size);
        let (events, transcript) = run(&feed, options);
        let expected = Outcome::of_row(row, &transcript.0);
        assert_eq!(Outcome::of_parsed(&collected(&events)), expected, "{}: {feed:?}", row.id());
        assert_eq!(joined(&events), joined(&run(&whole, options).0), "{}: {feed:?}", row.id());
        contract::check(&events, &transcript, policy(row));
    }
}

fn cut_all<'a>(feed: &[Feed<'a, str>], size: usize) -> Vec<Feed<'a, str>> {
    let cut = |piece: &Feed<'a, str>| match *piece {
        Feed::Text(text) if size < text.len() => text_feed(&chunks::fixed(text, size)),
        whole => vec![whole],
    };
    feed.iter().flat_map(cut).collect()
}

fn check_file(file: &str) {
    for row in rows(file) {
        if row.has("items") {
            check_tokens(&row);
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
