//! What exceeds a limit passes through unchanged, and is reported.

use harmony_stream::Options;
use harmony_stream::openai::{ChatFilter, Settings, chat_body};
use serde_json::json;

use crate::assembled::{self, only};
use crate::upstream::{DONE, chat, chat_stream, chunk, ends, event, line, ollama, role, says};

const START: &str = "<|channel|>final<|message|>";

#[test]
fn long_events() {
    let long = event(json!({"choices": [{"index": 0, "delta": {"content": "<|end|>".repeat(500)}}]}));
    let stream = says(0, START) + &says(0, "Noon") + &long + &says(0, ".") + &ends(0, "stop") + DONE;
    let (out, summary) = chat(&stream, Settings::default().max_event(1000));
    assert!(out.contains(&long));
    assert_eq!(only(&out.replace(&long, "")).content, "Noon.");
    assert_eq!((summary.limits.event, summary.limited()), (1, true));
    // The limit itself is allowed.
    let (out, summary) = chat(&stream, Settings::default().max_event(long.len()));
    assert!(!out.contains("<|") && !summary.limited());
}

#[test]
fn long_events_while_others_wait_and_at_the_end() {
    let long = format!(": {}\n\n", "x".repeat(3000));
    let stream = says(0, "a <") + &long + &says(0, "b <") + long.trim_end();
    let (out, summary) = chat(&stream, Settings::default().max_event(1000));
    assert_eq!(out, stream);
    assert_eq!(summary.limits.event, 2);
}

#[test]
fn long_lines() {
    let long = line(&"<|end|>".repeat(500));
    let stream = line(START) + &line("Noon.") + &long + &line("x");
    let (out, summary) = ollama(&stream, Settings::default().max_event(1000));
    assert!(out.contains(&long) && out.contains("Noon.") && !out.contains(START));
    assert_eq!(summary.limits.event, 1);
}

#[test]
fn an_event_of_ten_megabytes() {
    let text = "It is noon. ".repeat(900_000);
    let stream = says(0, &format!("{START}{text}")) + &ends(0, "stop");
    let (out, summary) = chat(&stream, Settings::default());
    assert!(!summary.limited());
    assert!(only(&out).content == text);
}

#[test]
fn long_transcripts() {
    let stream = role(0) + &says(0, START) + &says(0, "Noon <") + &says(0, "<|end|> long") + &ends(0, "stop");
    let (out, summary) = chat(&stream, Settings::default().max_transcript(START.len() + 8));
    assert_eq!(only(&out).content, "Noon <<|end|> long");
    assert!(out.ends_with(&(says(0, "<|end|> long") + &ends(0, "stop"))), "{out}");
    assert_eq!((summary.limits.transcript, summary.split), (1, 1));
}

#[test]
fn long_transcripts_that_were_not_decided() {
    let text = format!("{START}Noon.<|end|>");
    let stream = chat_stream(&text, 4, "stop");
    let settings = Settings::default().parser(Options::default()).max_transcript(text.len() - 1);
    let (out, summary) = chat(&stream, settings);
    assert_eq!(out, stream);
    assert_eq!((summary.limits.transcript, summary.split), (1, 0));
}

#[test]
fn a_long_wait() {
    let stream = chat_stream(&format!("{START}{}", "Noon. ".repeat(100)), 4, "stop");
    let settings = Settings::default().parser(Options::default()).max_held(4000);
    let (out, summary) = chat(&stream, settings);
    assert_eq!(out, stream);
    assert_eq!((summary.limits.held, summary.split), (1, 0));
}

/// The second choice of a chunk makes the first one give up, which waits in that chunk and before it.
#[test]
fn a_wait_that_grows_too_long_within_a_chunk() {
    let both = |first: &str, second: serde_json::Value| {
        chunk(json!([{"index": 0, "delta": {"content": first}}, {"index": 1, "delta": second}]))
    };
    let stream = says(1, "<|channel|>final<|message|>a <")
        + &both("b <", json!({}))
        + &both("|", json!({"reasoning_content": "c"}));
    let (mut filter, mut out) = (ChatFilter::new(Settings::default().max_held(300)), Vec::new());
    filter.push(stream.as_bytes(), &mut out);
    let choices = assembled::chat(std::str::from_utf8(&out).expect("UTF-8"));
    assert_eq!((&*choices[&0].content, &*choices[&1].content), ("b <|", "a <"));
    assert_eq!(filter.summary().limits.held, 1);
}

#[test]
fn many_choices() {
    let choice = |index: u64| json!({"index": index, "delta": {"content": format!("{START}{index}")}});
    let stream = chunk((0..5).map(choice).collect());
    let (out, summary) = chat(&stream, Settings::default().max_choices(3));
    assert_eq!(out.matches(START).count(), 2);
    assert_eq!((summary.limits.choices, summary.split), (2, 3));
}

#[test]
fn whole_bodies() {
    let choice = json!({"index": 0, "message": {"content": format!("{START}Noon.")}});
    let body = json!({"choices": [choice, choice, choice]}).to_string();
    let found = chat_body(body.as_bytes(), &Settings::default().max_transcript(10));
    assert_eq!((&*found.json, found.summary.limits.transcript), (body.as_bytes(), 3));
    let found = chat_body(body.as_bytes(), &Settings::default().max_choices(1));
    assert_eq!((found.summary.split, found.summary.limits.choices), (1, 2));
}
