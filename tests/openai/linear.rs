//! The work of a filter grows with the bytes, whatever is in one event.

use harmony_stream::openai::Settings;
use serde_json::json;

use crate::timing::{FACTOR, linear};
use crate::upstream::{chat_chunks, event, ollama_chunks};

const SMALL: usize = 40;

fn check(name: &str, text: impl Fn(usize) -> String, run: impl Fn(&str)) {
    linear(&text(SMALL)[..], &text(SMALL * FACTOR)[..], run)
        .unwrap_or_else(|times| panic!("{name}: {times}"));
}

fn chat(stream: &str) {
    chat_chunks(&[stream.as_bytes()], Settings::default());
}

fn chat_in_pieces(stream: &str) {
    chat_chunks(&stream.as_bytes().chunks(7).collect::<Vec<_>>(), Settings::default());
}

fn ollama(stream: &str) {
    ollama_chunks(&[stream.as_bytes()], Settings::default());
}

fn messages(n: usize) -> String {
    "<|channel|>analysis<|message|>a<|end|><|channel|>final<|message|>b<|end|>".repeat(n)
}

/// So many members that nobody knows, in front of a message's text.
fn members(n: usize) -> serde_json::Map<String, serde_json::Value> {
    (0..n).map(|n| (format!("x{n}"), json!(n))).collect()
}

#[test]
fn many_members_and_messages_in_one_event() {
    let chunk = |n: usize| {
        let (mut chunk, mut delta) = (members(10 * n), members(10 * n));
        delta.insert("content".into(), messages(n).into());
        chunk.insert("choices".into(), json!([{"index": 0, "delta": delta}]));
        event(json!(chunk))
    };
    check("chat", chunk, chat);
    let reply = |n: usize| {
        let (mut reply, mut message) = (members(10 * n), members(10 * n));
        message.insert("content".into(), messages(n).into());
        reply.insert("message".into(), json!(message));
        format!("{}\n", json!(reply))
    };
    check("ollama", reply, ollama);
}

#[test]
fn many_lines_of_data_and_long_ones() {
    let lines = |n: usize| "data: {\n".to_owned() + &"data:\n".repeat(20 * n) + "data: }\n\n";
    check("lines", lines, chat_in_pieces);
    check("one line", |n| event(json!({"x": "y".repeat(200 * n)})), chat_in_pieces);
}

/// The last choice has an event of its own first: behind so many others it would not be read.
#[test]
fn many_events_behind_one_with_many_choices_that_waits() {
    let stream = |n: usize| {
        let says = |text: &str| json!({"index": 10 * n, "delta": {"content": text}});
        let mut choices: Vec<_> = (0..10 * n).map(|index| json!({"index": index})).collect();
        choices.push(says("<"));
        let events = [json!([says("x")]), json!(choices)].map(|choices| event(json!({"choices": choices})));
        events.concat() + &event(json!({"choices": []})).repeat(80 * n)
    };
    check("events", stream, chat);
}
