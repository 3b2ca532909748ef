//! How events look that were rewritten, and when they leave.

use harmony_stream::DeviationKind;
use harmony_stream::openai::{ChatFilter, OllamaFilter, ReasoningField, Settings};
use serde_json::{Value, json};

use crate::assembled::{events, only};
use crate::upstream::{DONE, chat, chat_stream, chunk, ends, event, line, ollama, says};

const TURN: &str = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary \
                    to=functions.tide <|constrain|>json<|message|>{\"port\":\"Brevik\"}<|call|>";

fn parsed(stream: &str) -> Vec<Value> {
    events(stream).iter().filter_map(|data| serde_json::from_str(data).ok()).collect()
}

#[test]
fn deltas_of_a_call() {
    let (out, summary) = chat(&(says(0, TURN) + &ends(0, "stop") + DONE), Settings::default());
    let deltas: Vec<Value> = parsed(&out).iter().map(|chunk| chunk["choices"][0]["delta"].clone()).collect();
    let id = &deltas[1]["tool_calls"][0]["id"];
    assert!(id.as_str().is_some_and(|id| id.starts_with("call_") && id.len() == 29), "{id}");
    let call = json!({
        "index": 0, "id": id, "type": "function",
        "function": {"name": "tide", "arguments": "{\"port\":\"Brevik\"}"},
    });
    assert_eq!(deltas, [json!({"reasoning_content": "Hm."}), json!({"tool_calls": [call]}), json!({})]);
    assert_eq!(only(&out).reason.as_deref(), Some("tool_calls"));
    assert!(out.ends_with(DONE));
    assert_eq!(summary.complete_calls, 1);
}

#[test]
fn ids_of_calls_do_not_depend_on_pieces() {
    let ids = |size| only(&chat(&chat_stream(&TURN.repeat(2), size, "stop"), Settings::default()).0).ids;
    assert_eq!(ids(1), ids(1000));
    let both = ids(1);
    assert_eq!(both.len(), 2);
    assert_ne!(both[0], both[1]);
}

#[test]
fn reasoning_by_another_name() {
    let settings = Settings::default().reasoning(ReasoningField::Reasoning);
    let (out, _) = chat(&chat_stream(TURN, 5, "stop"), settings);
    assert!(out.contains("\"reasoning\":\"") && !out.contains("reasoning_content"), "{out}");
}

#[test]
fn what_else_is_in_a_chunk_stays_with_its_last_piece() {
    let chunk = "{\"id\":\"x\",\"created\":1.0,\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\
                 \"content\":\"<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon.\",\
                 \"refusal\":null},\"logprobs\":{\"content\":[1.50]}}],\"usage\":{\"total_tokens\":7e0}}";
    let (out, _) = chat(&format!("id: 4\nevent: message\ndata: {chunk}\n: c\n\n"), Settings::default());
    let first = "event: message\ndata: {\"id\":\"x\",\"created\":1.0,\"choices\":[{\"index\":0,\"delta\":\
                 {\"role\":\"assistant\",\"reasoning_content\":\"Hm.\"},\"finish_reason\":null}]}\n\n";
    let last = "id: 4\nevent: message\ndata: {\"id\":\"x\",\"created\":1.0,\"choices\":[{\"index\":0,\
                \"delta\":{\"refusal\":null,\"content\":\"Noon.\"},\"logprobs\":{\"content\":[1.50]}}],\
                \"usage\":{\"total_tokens\":7e0}}\n: c\n\n";
    assert_eq!(out, [first, last].concat());
}

#[test]
fn a_chunk_of_which_nothing_is_left_does_not_go_out() {
    let (out, _) = chat(&chat_stream(TURN, 1, "stop"), Settings::default());
    assert!(!out.contains("\"delta\":{},\"logprobs\":null,\"finish_reason\":null"), "{out}");
    // Usage in every chunk is something.
    let delta = json!({"content": "<|channel|>"});
    let counted = event(json!({"choices": [{"index": 0, "delta": delta}], "usage": {"total_tokens": 1}}));
    let (out, _) = chat(&(counted.clone() + &counted + &ends(0, "stop")), Settings::default());
    assert_eq!(out.matches("total_tokens").count(), 2);
}

#[test]
fn answers_of_a_final_message_keep_their_events() {
    let answer = [says(0, "No"), says(0, "on"), says(0, " <b>.")].concat();
    let stream = says(0, "<|channel|>final<|message|>") + &answer + &says(0, "<|return|>") + &ends(0, "stop");
    let (out, _) = chat(&stream, Settings::default());
    assert_eq!(out, answer + &ends(0, "stop"));
}

#[test]
fn text_that_means_itself_keeps_its_spelling() {
    let odd = event("{ \"choices\" : [ {\"index\":0, \"delta\":{ \"content\" : \"\\u004eo\\/on\" } } ] }");
    let (out, _) = chat(&(says(0, "<|channel|>final<|message|>") + &odd + &odd), Settings::default());
    assert_eq!(out, odd.repeat(2));
}

#[test]
fn line_ends_are_those_of_the_event() {
    let stream = chat_stream(TURN, 7, "stop");
    let (plain, _) = chat(&stream, Settings::default());
    for end in ["\r\n", "\r"] {
        let (out, _) = chat(&stream.replace('\n', end), Settings::default());
        assert_eq!(out, plain.replace('\n', end));
    }
}

#[test]
fn json_on_several_lines_stays_on_several_lines() {
    let text = "<|channel|>final<|message|>Noon.";
    let stream = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}],\"usage\":{{\ndata: \"n\":1}}}}\n\n"
    );
    let (out, _) = chat(&stream, Settings::default());
    let expected =
        "data: {\"choices\":[{\"delta\":{\"content\":\"Noon.\"}}],\"usage\":{\ndata: \"n\":1}}\n\n";
    assert_eq!(out, expected);
}

#[test]
fn each_piece_leaves_with_the_bytes_that_decide_it() {
    let mut filter = ChatFilter::new(Settings::default());
    let mut push = |text: &str| {
        let mut out = Vec::new();
        filter.push(says(0, text).as_bytes(), &mut out);
        let assembled = only(std::str::from_utf8(&out).expect("UTF-8"));
        assembled.reasoning + &assembled.content
    };
    assert_eq!(push("<|channel|>analysis"), "");
    assert_eq!(push("<|message|>Hm"), "Hm");
    assert_eq!(push(" <"), " ");
    assert_eq!(push("b"), "<b");
    assert_eq!(push("<|end|><|start|>assistant<|channel|>final<|message|>N"), "N");
    assert_eq!(push("oon"), "oon");
}

#[test]
fn a_plain_answer_waits_for_nothing_but_a_possible_marker() {
    let mut filter = OllamaFilter::new(Settings::default());
    let mut push = |text: &str| {
        let mut out = Vec::new();
        filter.push(line(text).as_bytes(), &mut out);
        String::from_utf8(out).expect("UTF-8")
    };
    assert_eq!(push("Noon"), line("Noon"));
    assert_eq!(push(" <"), "");
    assert_eq!(push("3"), line(" <") + &line("3"));
}

#[test]
fn comments_keep_their_place() {
    let stream = says(0, "a <") + ": ping\n\n" + &says(0, "b");
    assert_eq!(chat(&stream, Settings::default()).0, stream);
}

#[test]
fn deviations_are_counted_by_kind() {
    let text = "<|channel|>final<|message|>Noon.<|return|><|return|>";
    let (_, summary) = chat(&chat_stream(text, 3, "stop"), Settings::default());
    assert_eq!(summary.deviations(DeviationKind::StrayTerminator), 1);
    assert_eq!(summary.all_deviations(), 1);
}

#[test]
fn a_malformed_call_is_told_apart() {
    let text = "<|channel|>commentary to=functions.run<|message|>ls -l<|call|>";
    let (out, summary) = chat(&chat_stream(text, 3, "stop"), Settings::default());
    let got = only(&out);
    assert_eq!(got.calls, [("run".to_owned(), "ls -l".to_owned())]);
    assert_eq!(got.reason.as_deref(), Some("stop"));
    assert_eq!((summary.complete_calls, summary.malformed_calls), (0, 1));
    let (out, _) = ollama(&line(text), Settings::default());
    assert!(out.contains("\"thinking\":\"to=functions.run ls -l\""), "{out}");
}

#[test]
fn llama_cpp_without_a_reasoning_format() {
    // `--reasoning-format none`: the markup is in the content, and timings are in the last chunk.
    let first =
        chunk(json!([{"index": 0, "finish_reason": null, "delta": {"role": "assistant", "content": null}}]));
    let last = event(json!({
        "choices": [{"finish_reason": "stop", "index": 0, "delta": {}}], "id": "chatcmpl-1", "timings": {"n": 1},
    }));
    let texts = [
        "<|channel|>",
        "analysis",
        "<|message|>",
        "Hm",
        ".",
        "<|end|>",
        "<|start|>",
        "assistant",
        "<|channel|>",
        "final",
        "<|message|>",
        "No",
        "on",
        ".",
    ];
    let texts: String = texts.iter().map(|text| says(0, text)).collect();
    let (out, _) = chat(&(first.clone() + &texts + &last + DONE), Settings::default());
    let got = only(&out);
    assert_eq!((&*got.reasoning, &*got.content, got.reason.as_deref()), ("Hm.", "Noon.", Some("stop")));
    assert!(out.starts_with(&first) && out.ends_with(&(last + DONE)), "{out}");
    assert_eq!(out.matches("data: ").count(), 8);
}
