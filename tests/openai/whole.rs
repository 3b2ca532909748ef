//! Whole responses: the same as a client puts together from a stream.

use harmony_stream::Options;
use harmony_stream::openai::{ReasoningField, Settings, chat_body, ollama_body};
use serde_json::{Value, json};

use crate::assembled::{self, Assembled, expected};
use crate::support::transcripts::transcripts;
use crate::upstream::{ID, chat, chat_stream, ollama, ollama_stream};

fn completion(text: &str, reason: &str) -> String {
    let message = json!({"role": "assistant", "content": text});
    let choice = json!({"index": 0, "message": message, "finish_reason": reason});
    let usage = json!({"total_tokens": 7});
    json!({"id": ID, "created": 1764480000, "choices": [choice], "usage": usage}).to_string()
}

fn read(choice: &Value) -> Assembled {
    let message = &choice["message"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let call = |call: &Value| (text(&call["function"]["name"]), text(&call["function"]["arguments"]));
    Assembled {
        content: text(&message["content"]),
        reasoning: text(&message["reasoning_content"]),
        calls: calls.clone().map(call).collect(),
        ids: calls.map(|call| text(&call["id"])).collect(),
        reason: choice["finish_reason"].as_str().map(str::to_owned),
    }
}

#[test]
fn transcripts_are_split_as_in_a_stream() {
    for transcript in transcripts() {
        for options in [Options::lenient(), Options::default()] {
            let settings = Settings::default().parser(options);
            let body = completion(&transcript.text, "stop");
            let whole = chat_body(body.as_bytes(), &settings);
            let json: Value = serde_json::from_slice(&whole.json).expect("JSON");
            let got = read(&json["choices"][0]);
            assert_eq!(got.parts(), expected(&transcript.text, options).parts(), "{}", transcript.name);
            assert_eq!(json["usage"]["total_tokens"], 7);
            let (stream, summary) = chat(&chat_stream(&transcript.text, 64, "stop"), settings);
            assert_eq!(got, assembled::only(&stream), "{}", transcript.name);
            if summary.failed == 0 {
                assert_eq!(whole.summary, summary, "{}", transcript.name);
            }
            assert_eq!(&*whole.json == body.as_bytes(), summary.split == 0);
        }
    }
}

#[test]
fn transcripts_of_ollama_are_split_as_in_a_stream() {
    for transcript in transcripts() {
        let settings = Settings::default();
        let stream = ollama_stream(&transcript.text, usize::MAX / 2);
        let line = stream.lines().next().expect("a line");
        let whole = ollama_body(line.as_bytes(), &settings);
        let whole = String::from_utf8(whole.json.into_owned()).expect("UTF-8");
        let streamed = assembled::ollama(&ollama(&stream, settings).0).0;
        assert_eq!(assembled::ollama(&whole).0, streamed, "{}", transcript.name);
    }
}

#[test]
fn content_is_null_beside_calls_only() {
    let body = completion("<|channel|>commentary to=functions.f<|message|>{}<|call|>", "stop");
    let whole = chat_body(body.as_bytes(), &Settings::default());
    let json: Value = serde_json::from_slice(&whole.json).expect("JSON");
    assert_eq!(json["choices"][0]["message"]["content"], Value::Null);
    assert_eq!(json["choices"][0]["finish_reason"], "tool_calls");
}

#[test]
fn what_is_left_alone() {
    let marked = "<|channel|>final<|message|>Noon.";
    for (body, unreadable) in [
        (completion("Noon <|x|>.", "stop"), 0),
        (json!({"choices": [{"message": {"content": marked, "reasoning_content": "Hm."}}]}).to_string(), 0),
        (json!({"choices": [{"message": {"content": marked, "tool_calls": [1]}}]}).to_string(), 0),
        (json!({"choices": [{"text": marked}]}).to_string(), 0),
        (json!({"choices": [3]}).to_string(), 0),
        (json!({"error": marked}).to_string(), 0),
        ("{\"choices\":[{\"message\":{\"content\":\"\\ud83d<|end|>\"}}]}".into(), 1),
        ("no json".into(), 1),
        (String::new(), 1),
    ] {
        let whole = chat_body(body.as_bytes(), &Settings::default());
        assert_eq!((&*whole.json, whole.summary.unreadable), (body.as_bytes(), unreadable), "{body}");
        assert_eq!(whole.summary.split, 0);
    }
    for body in [
        json!({"message": {"content": marked, "thinking": "Hm."}}).to_string(),
        json!({"message": {"content": "Noon."}}).to_string(),
        json!({"response": marked}).to_string(),
        "[]".into(),
    ] {
        let whole = ollama_body(body.as_bytes(), &Settings::default());
        assert_eq!(&*whole.json, body.as_bytes());
    }
}

#[test]
fn several_choices_and_another_name_for_reasoning() {
    let message = |text: &str| json!({"message": {"content": text}});
    let body = json!({"choices": [message("<|channel|>analysis<|message|>Hm.<|end|>"), message("Noon.")]});
    let settings = Settings::default().reasoning(ReasoningField::Reasoning);
    let whole = chat_body(body.to_string().as_bytes(), &settings).json.into_owned();
    let expected = json!({"choices": [{"message": {"content": "", "reasoning": "Hm."}}, message("Noon.")]});
    assert_eq!(serde_json::from_slice::<Value>(&whole).expect("JSON"), expected);
}
