//! What passes through byte for byte.

use harmony_stream::Options;
use harmony_stream::openai::{ChatFilter, OllamaFilter, Settings, Summary};
use serde_json::json;

use crate::upstream::{DONE, chat, chat_stream, chunk, ends, event, last_line, line, ollama, role, says};

/// Both policies leave the stream as it is, and find nothing.
#[track_caller]
fn untouched(stream: &str) -> Summary {
    for options in [Options::lenient(), Options::default()] {
        let (out, summary) = chat(stream, Settings::default().parser(options));
        assert_eq!(out, stream);
        assert_eq!((summary.split, summary.failed, summary.all_deviations()), (0, 0, 0));
    }
    chat(stream, Settings::default()).1
}

#[test]
fn text_without_harmony() {
    for text in ["", "Noon.", "a <b> c", "< <| <|e", "\n\n  Noon.", " ", "1 <|2| 3 <|x|> <|endoftext|>", "<|"]
    {
        for size in [1, 3, 100] {
            let summary = untouched(&chat_stream(text, size, "stop"));
            assert_eq!(summary.bytes.other, text.len());
        }
    }
}

#[test]
fn text_without_a_finish_reason() {
    untouched(&(role(0) + &says(0, "It is <") + DONE));
    untouched(&(role(0) + &says(0, "It is <")));
    untouched(says(0, "It is <").trim_end());
}

#[test]
fn spelling_of_json() {
    let odd = "{ \"choices\" : [ {\"index\" : 0, \"delta\" : {\"content\" : \"\\u004eo\\/on <\"}} ], \
               \"id\":\"x\", \"n\": 1.50e+300, \"big\": 123456789012345678901234567890 }";
    untouched(&(event(odd) + &event(odd) + DONE));
}

#[test]
fn streams_that_are_split_already() {
    let marked = "<|channel|>analysis<|message|>x";
    for delta in [
        json!({"reasoning_content": "Hm."}),
        json!({"reasoning": "Hm.", "content": null}),
        json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]}),
        json!({"function_call": {"name": "f"}}),
    ] {
        let split = chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]));
        untouched(&[role(0), split, says(0, marked), ends(0, "tool_calls"), DONE.into()].concat());
    }
}

#[test]
fn empty_fields_do_not_make_a_stream_split() {
    let delta = json!({
        "content": "<|channel|>final<|message|>Noon.", "reasoning_content": null, "reasoning": "", "tool_calls": [],
    });
    let (_, summary) = chat(&chunk(json!([{"index": 0, "delta": delta}])), Settings::default());
    assert_eq!(summary.split, 1);
}

#[test]
fn events_that_are_no_chunks() {
    let usage = event(json!({"id": "x", "choices": [], "usage": {"total_tokens": 7}}));
    let error = event(json!({"error": {"message": "out of memory <|end|>", "code": 500}}));
    let stream = [
        ": ping\n\n",
        "retry: 100\n\n",
        "event: status\ndata: {\"queue\": 3}\nid: 7\n\n",
        "\n",
        &role(0),
        ":\n\n",
        &says(0, "Noon <"),
        &error,
        "data\n\n",
        &says(0, "3"),
        "data: {\"choices\": 3}\n\n",
        "data: {\"choices\": [3]}\n\n",
        "data: {\"choices\": [{}]}\n\n",
        &ends(0, "stop"),
        &usage,
        DONE,
        ": bye\n",
    ]
    .concat();
    let (out, _) = chat(&stream, Settings::default());
    assert_eq!(out, stream);
}

#[test]
fn data_that_is_no_json() {
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    for (data, unreadable) in [
        ("", 1),
        ("null", 1),
        ("{", 1),
        ("{\"choices\":[}", 1),
        ("<html>", 1),
        ("{\"choices\":[{\"delta\":{\"content\":\"\\ud83d\"}}]}", 1),
        ("{\"choices\":[{\"index\":0,\"delta\":{}},{\"index\":0,\"delta\":{}}]}", 1),
        ("{\"choices\":[{\"index\":-1,\"delta\":{\"content\":null}}]}", 1),
        ("{\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\"}]}}]}", 0),
        (&format!("{{\"choices\":{deep}}}"), 0),
    ] {
        let summary = untouched(&(event(data) + DONE));
        assert_eq!(summary.unreadable, unreadable, "{data}");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let stream: Vec<u8> = (0..=255).chain(*b"\n\ndata: {\"a\":\"\xff\"}\n\ndata: \xe2\x82").collect();
    for size in [1, 7, 1000] {
        let (mut filter, mut out) = (ChatFilter::new(Settings::default()), Vec::new());
        stream.chunks(size).for_each(|piece| filter.push(piece, &mut out));
        filter.finish(&mut out);
        assert_eq!(out, stream);
    }
}

const MARK: &str = "\u{feff}";

/// Its own bytes pass, and what comes behind it is what it is without.
#[test]
fn a_byte_order_mark_hides_nothing() {
    for text in
        ["<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon <", "Is it < noon?", ""]
    {
        for options in [Options::lenient(), Options::default()] {
            let settings = Settings::default().parser(options);
            for rest in ["", DONE, &ends(0, "stop"), &says(0, "3")] {
                let stream = says(0, text) + rest;
                let (out, summary) = chat(&stream, settings);
                assert_eq!(chat(&format!("{MARK}{stream}"), settings), (format!("{MARK}{out}"), summary));
            }
            for rest in ["", &line("3"), &last_line("stop")] {
                let lines = line(text) + rest;
                let (out, summary) = ollama(&lines, settings);
                assert_eq!(ollama(&format!("{MARK}{lines}"), settings), (format!("{MARK}{out}"), summary));
            }
        }
    }
}

#[test]
fn a_byte_order_mark_anywhere_else_is_none() {
    let marked = says(0, "<|channel|>final<|message|>Noon.");
    untouched(&(format!("{MARK}{MARK}{marked}")));
    untouched(&(format!("\n{MARK}{marked}")));
    untouched(&(says(0, "a") + MARK + &marked));
    let lines = line("<|channel|>final<|message|>Noon.");
    for stream in [format!("{MARK}{MARK}{lines}"), format!("\n{MARK}{lines}")] {
        assert_eq!(ollama(&stream, Settings::default()).0, stream);
    }
}

#[test]
fn nothing_waits_that_is_no_beginning_of_a_byte_order_mark() {
    for first in ["\n", "\r\n", ":\n\n", "\n\n", MARK] {
        let (mut filter, mut out) = (ChatFilter::new(Settings::default()), Vec::new());
        filter.push(first.as_bytes(), &mut out);
        assert_eq!(out, first.as_bytes());
    }
}

/// What may be the beginning of one is not lost either.
#[test]
fn a_byte_order_mark_may_be_cut() {
    for stream in [&b""[..], b"\xef", b"\xef\xbb", b"\xef\xbb\xbf", b"\xef\xbbdata: 1\n\n", b"\xef\n"] {
        for size in 1..4 {
            let (mut chat, mut ollama) =
                (ChatFilter::new(Settings::default()), OllamaFilter::new(Settings::default()));
            let (mut events, mut lines) = (Vec::new(), Vec::new());
            for piece in [&b""[..]].into_iter().chain(stream.chunks(size)) {
                chat.push(piece, &mut events);
                ollama.push(piece, &mut lines);
            }
            chat.finish(&mut events);
            ollama.finish(&mut lines);
            assert_eq!((&*events, &*lines), (stream, stream));
        }
    }
}

#[test]
fn line_ends_of_any_kind() {
    let stream = chat_stream("It is < noon.", 1, "stop") + ": c\n\n";
    for end in ["\r\n", "\r"] {
        untouched(&stream.replace('\n', end));
    }
}

#[test]
fn data_on_several_lines() {
    let pretty = "data: {\"choices\":\ndata: [{\"index\":0,\ndata:\"delta\":{\"content\":\"Noon\"}}]}\n\n";
    untouched(&pretty.repeat(3));
}

#[test]
fn lines_of_ollama() {
    let other = "{\"model\":\"m\",\"response\":\"<|end|>\",\"done\":false}\n";
    let thought = "{\"message\":{\"content\":\"\",\"thinking\":\"Hm.\"},\"done\":false}\n";
    for stream in [
        line("No") + &line("on <") + &line("3") + &last_line("stop"),
        line("Noon <") + other + "\n\r\nno json\n" + &last_line("length"),
        thought.to_owned() + &line("<|channel|>final<|message|>x") + &last_line("stop"),
        line("a <").replace('\n', "\r\n") + &line("b").replace('\n', "\r\n"),
        line("a") + line("b <").trim_end(),
        "{\"error\":\"no such model\"}\n".into(),
    ] {
        let (out, summary) = ollama(&stream, Settings::default());
        assert_eq!(out, stream);
        assert_eq!(summary.split, 0);
    }
}
