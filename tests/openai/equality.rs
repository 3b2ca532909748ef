//! A client of the filter gets what the parser makes of the text: transcripts and vectors, in pieces of any size.

use harmony_stream::openai::Settings;
use harmony_stream::{Options, Policy, Routing, Start, Status, parse_with};

use crate::assembled::{self, expected};
use crate::support::transcripts::transcripts;
use crate::support::vectors::{Row, rows};
use crate::upstream::{chat, chat_stream, ollama, ollama_stream};

const SIZES: [usize; 3] = [1, 4, 64];

fn check(name: &str, text: &str, options: Options, sizes: &[usize]) {
    for &size in sizes {
        check_chat(name, text, options, size);
        check_ollama(name, text, options, size);
    }
}

fn check_chat(name: &str, text: &str, options: Options, size: usize) {
    let parsed = parse_with(text, options);
    let settings = Settings::default().parser(options);
    let of = |status| parsed.tool_calls.iter().filter(|call| call.status == status).count() as u64;
    let stream = chat_stream(text, size, "stop");
    let (out, summary) = chat(&stream, settings);
    let got = assembled::only(&out);
    assert_eq!(got.parts(), expected(text, options).parts(), "{name} by {size}");
    if !parsed.failed() {
        assert_eq!(summary.bytes, parsed.finish.bytes, "{name} by {size}");
    }
    assert_eq!((summary.unreadable, summary.limited()), (0, false));
    if summary.split == 0 {
        assert_eq!(out, stream, "{name} by {size}");
        return;
    }
    assert_eq!(
        (summary.complete_calls, summary.malformed_calls, summary.incomplete_calls),
        (of(Status::Complete), of(Status::Malformed), of(Status::Incomplete)),
        "{name}"
    );
    assert_eq!(summary.all_deviations(), parsed.finish.deviations, "{name}");
    let callable = of(Status::Complete) > 0 && of(Status::Incomplete) == 0;
    assert_eq!(got.reason.as_deref(), Some(if callable { "tool_calls" } else { "stop" }), "{name}");
}

/// Ollama's reply has complete calls only; the text of others is reasoning.
fn check_ollama(name: &str, text: &str, options: Options, size: usize) {
    let parsed = parse_with(text, options);
    let settings = Settings::default().parser(options);
    let (out, _) = ollama(&ollama_stream(text, size), settings);
    let (got, last) = assembled::ollama(&out);
    assert_eq!(got.content, parsed.content, "{name} by {size}");
    assert_eq!((last.done, last.eval_count), (true, Some(7)), "{name}");
    let mut rest = got.reasoning.as_str();
    let mut calls = got.calls.iter();
    for call in &parsed.tool_calls {
        if call.status == Status::Complete {
            let (name, arguments) = calls.next().expect("a call");
            let on_one_line = call.arguments.replace(['\r', '\n'], " ");
            assert_eq!((name.as_str(), arguments), (&*call.name, &on_one_line), "{name}");
        } else {
            let told = format!("to={} {}", call.recipient, call.arguments);
            let at = rest.find(&told).unwrap_or_else(|| panic!("{name}: {told} in {rest}"));
            rest = &rest[at + told.len()..];
        }
    }
    assert_eq!(calls.next(), None, "{name}");
}

#[test]
fn transcripts_repaired() {
    for transcript in transcripts() {
        check(&transcript.name, &transcript.text, Options::lenient(), &SIZES);
    }
}

#[test]
fn transcripts_verbatim() {
    for transcript in transcripts() {
        check(&transcript.name, &transcript.text, Options::default(), &[4]);
    }
}

#[test]
fn vectors_of_the_recover_policy() {
    for row in rows("recover-cases.jsonl").iter().chain(&rows("recover-more.jsonl")) {
        if row.items().is_none() {
            check(row.id(), row.input(), options(row), &SIZES);
        }
    }
}

fn options(row: &Row) -> Options {
    let verbatim = row.has("policy") && row.text("policy") == "verbatim";
    let functions = row.has("routing") && row.text("routing") == "commentary_functions";
    let start = match row.text("start") {
        "detect" => Start::Detect,
        "assistant_header" => Start::AssistantHeader,
        "analysis_body" => Start::AnalysisBody,
        "final_body" => Start::FinalBody,
        other => panic!("start {other}"),
    };
    Options::default()
        .start(start)
        .policy(if verbatim { Policy::Verbatim } else { Policy::Recover })
        .routing(if functions { Routing::CommentaryFunctions } else { Routing::AnyRecipient })
}
