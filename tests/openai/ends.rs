//! However a stream ends, nothing that was held back is lost.

use harmony_stream::Options;
use harmony_stream::openai::{OllamaFilter, Settings};
use serde_json::json;

use crate::assembled::{self, events, expected, only};
use crate::support::chunks::fixed;
use crate::support::transcripts::transcripts;
use crate::upstream::{DONE, chat, chat_stream, chunk, ends, event, last_line, line, ollama, role, says};

const CALL: &str = "<|channel|>commentary to=functions.f<|message|>{\"a\":1}";

#[test]
fn length_counts_more_than_calls() {
    let (out, _) = chat(&chat_stream(&format!("{CALL}<|call|>"), 4, "length"), Settings::default());
    assert_eq!(only(&out).reason.as_deref(), Some("length"));
    assert_eq!(only(&out).calls.len(), 1);
}

#[test]
fn a_call_without_its_terminator_is_complete() {
    let (out, _) = chat(&chat_stream(CALL, 4, "stop"), Settings::default());
    assert_eq!(only(&out).reason.as_deref(), Some("tool_calls"));
}

#[test]
fn a_cut_call_is_not_to_be_run() {
    let text = format!("{CALL}<|call|><|start|>assistant{}", &CALL[..CALL.len() - 1]);
    for (upstream, reason) in [("stop", "stop"), ("tool_calls", "stop"), ("length", "length")] {
        let (out, summary) = chat(&chat_stream(&text, 4, upstream), Settings::default());
        assert_eq!(only(&out).reason.as_deref(), Some(reason));
        assert_eq!((summary.complete_calls, summary.incomplete_calls), (1, 1));
    }
}

/// Without a finish reason none is made up, and what was held back comes before `[DONE]`.
#[test]
fn streams_that_just_stop() {
    for transcript in transcripts() {
        let text = &transcript.text[..transcript.text.floor_char_boundary(2000)];
        let pieces: String = fixed(text, 9).into_iter().map(|piece| says(0, piece)).collect();
        for tail in ["", DONE, ": c\n\ndata: [DONE]", "data: [DONE]\n"] {
            let (out, _) = chat(&(role(0) + &pieces + tail), Settings::default());
            let got = only(&out);
            assert_eq!(got.parts(), expected(text, Options::lenient()).parts(), "{}", transcript.name);
            assert_eq!(got.reason, None);
            assert!(out.ends_with(tail), "{out}");
        }
    }
}

#[test]
fn what_was_held_back_comes_in_a_chunk_of_the_same_response() {
    let (out, _) = chat(&says(0, "<|channel|>final<|message|>Noon <"), Settings::default());
    let last = events(&out).pop().expect("an event");
    let held = json!({
        "id": "chatcmpl-7f", "object": "chat.completion.chunk", "created": 1764480000, "model": "gpt-oss-20b",
        "choices": [{"index": 0, "delta": {"content": "<"}, "finish_reason": null}],
    });
    assert_eq!(serde_json::from_str::<serde_json::Value>(&last).expect("JSON"), held);
}

#[test]
fn an_event_without_its_blank_line_counts() {
    let stream = says(0, "<|channel|>final<|message|>Noon <");
    for cut in [1, 2] {
        let (out, _) = chat(&stream[..stream.len() - cut], Settings::default());
        assert_eq!(only(&out).content, "Noon <", "{out}");
    }
}

#[test]
fn an_event_that_was_cut_passes_behind_what_was_held_back() {
    let cut = "data: {\"choices\":[{\"index\":0,\"del";
    let (out, summary) = chat(&(says(0, "<|channel|>final<|message|>Noon <") + cut), Settings::default());
    assert!(out.ends_with(&format!("\n\n{cut}")), "{out}");
    assert_eq!(only(&out).content, "Noon <");
    assert_eq!(summary.unreadable, 1);
}

/// An OpenAI client reads no further than an error.
#[test]
fn an_error_ends_the_response() {
    for transcript in transcripts() {
        let text = &transcript.text[..transcript.text.floor_char_boundary(2000)];
        for options in [Options::lenient(), Options::default()] {
            let settings = Settings::default().parser(options);
            let want = expected(text, options);
            for what in
                [json!({"error": {"message": "out of memory"}}), json!({"choices": null, "error": "busy"})]
            {
                let pieces: String = fixed(text, 9).into_iter().map(|piece| says(0, piece)).collect();
                let error = event(what) + DONE;
                let (out, _) = chat(&(pieces + &error), settings);
                let rest = out.strip_suffix(&error).unwrap_or_else(|| panic!("it comes last: {out}"));
                assert_eq!(only(rest).parts(), want.parts(), "{}", transcript.name);
            }
        }
    }
}

#[test]
fn no_error_ends_nothing() {
    for nothing in [json!({"error": null}), json!({"error": {}}), json!({"warning": "slow"})] {
        let stream =
            says(0, "<|channel|>final<|mess") + &event(nothing) + &says(0, "age|>Noon.") + &ends(0, "stop");
        assert_eq!(only(&chat(&stream, Settings::default()).0).content, "Noon.");
    }
}

#[test]
fn text_behind_the_finish_reason_is_left_alone() {
    let late = says(0, "<|end|>");
    let stream = chat_stream("<|channel|>final<|message|>Noon.", 4, "stop") + &late;
    assert!(chat(&stream, Settings::default()).0.ends_with(&late));
}

#[test]
fn a_finish_reason_in_the_chunk_with_the_last_text() {
    let text = format!("{CALL}<|call|>");
    let delta = json!({"role": "assistant", "content": text});
    let stream = chunk(json!([{"index": 0, "delta": delta, "finish_reason": "stop"}]));
    let got = only(&chat(&stream, Settings::default()).0);
    assert_eq!((got.calls.len(), got.reason.as_deref()), (1, Some("tool_calls")));
}

#[test]
fn an_empty_finish_reason_is_none() {
    let said = |text: &str| chunk(json!([{"index": 0, "delta": {"content": text}, "finish_reason": ""}]));
    let (out, _) = chat(&(said("<|channel|>final<|message|>No") + &said("on.")), Settings::default());
    assert!(out.contains("\"on.\"") && !out.contains("<|"), "{out}");
}

#[test]
fn lines_that_just_stop() {
    let text = "<|channel|>final<|message|>Noon <";
    for stream in [line(text), line(text).trim_end().to_owned(), line(text) + "{\"message\":{\"con"] {
        let (out, _) = ollama(&stream, Settings::default());
        let whole: String =
            out.lines().filter(|line| line.ends_with('}')).map(|line| format!("{line}\n")).collect();
        assert_eq!(assembled::ollama(&whole).0.content, "Noon <", "{out}");
    }
}

/// A client reads no further than the last line, whatever else is in it, or than an error.
#[test]
fn nothing_comes_behind_a_last_line_without_a_message() {
    for transcript in transcripts() {
        let text = &transcript.text[..transcript.text.floor_char_boundary(2000)];
        let lines: String = fixed(text, 9).into_iter().map(line).collect();
        for options in [Options::lenient(), Options::default()] {
            let settings = Settings::default().parser(options);
            let usual = ollama(&(lines.clone() + &last_line("stop")), settings);
            for last in [
                "{\"done\":true}\n",
                "{\"model\":\"m\",\"message\":null,\"done_reason\":\"stop\",\"done\":true,\"eval_count\":7}\r\n",
                "{\"done\":true,\"message\":\"<|end|>\"}",
                "{\"error\":\"out of memory\"}\n",
            ] {
                let (out, summary) = ollama(&(lines.clone() + last), settings);
                let rest = out.strip_suffix(last).unwrap_or_else(|| panic!("{last} comes last: {out}"));
                let got = assembled::ollama(rest).0;
                assert_eq!((got, summary), (assembled::ollama(&usual.0).0, usual.1), "{}", transcript.name);
            }
        }
    }
}

#[test]
fn a_last_line_without_a_message_does_not_wait() {
    let (mut filter, mut out) = (OllamaFilter::new(Settings::default()), Vec::new());
    filter.push((line("Noon <") + "{\"done\":true}\n").as_bytes(), &mut out);
    assert!(out.ends_with(b"\n{\"done\":true}\n"), "{}", String::from_utf8_lossy(&out));
}

#[test]
fn a_line_in_between_may_have_no_message() {
    for between in [
        "{\"done\":false}",
        "{\"done\":\"true\"}",
        "{\"message\":null,\"done\":1}",
        "{\"message\":{},\"done\":1}",
    ] {
        let stream =
            line("<|channel|>final<|mess") + between + "\n" + &line("age|>Noon.") + &last_line("stop");
        let (out, _) = ollama(&stream, Settings::default());
        assert!(out.contains("\"Noon.\"") && !out.contains("<|"), "{out}");
    }
}

/// Once calls have gone out, a client that goes by the reason has to run them, whatever comes between.
#[test]
fn a_reason_behind_the_end_of_a_choice_tells_of_its_calls() {
    let call = says(0, &format!("{CALL}<|call|>"));
    let thinks = chunk(json!([{"index": 0, "delta": {"reasoning_content": "x"}, "finish_reason": null}]));
    let thinks_last =
        chunk(json!([{"index": 0, "delta": {"reasoning_content": "x"}, "finish_reason": "stop"}]));
    let (stop, plain) = (ends(0, "stop"), says(0, "More."));
    let settings = Settings::default();
    let short = settings.max_transcript(64);
    for (behind, settings) in [
        (thinks + &stop, settings),
        (thinks_last, settings),
        (stop.clone() + &stop, settings),
        (plain + &stop, short),
    ] {
        let (out, _) = chat(&(role(0) + &call + &behind + DONE), settings);
        let reasons: Vec<&str> =
            out.split("\"finish_reason\":").skip(1).filter(|text| !text.starts_with("null")).collect();
        assert!(
            !reasons.is_empty() && reasons.iter().all(|text| text.starts_with("\"tool_calls\"")),
            "{out}"
        );
    }
    // The upstream's own calls have its own reason.
    let own =
        json!([{"index": 0, "id": "a", "type": "function", "function": {"name": "g", "arguments": "{}"}}]);
    let own = chunk(json!([{"index": 0, "delta": {"tool_calls": own}, "finish_reason": "tool_calls"}]));
    let (out, _) = chat(&(says(0, "<|channel|>final<|message|>Noon.") + &own + DONE), settings);
    assert!(out.contains(&own), "{out}");
}

/// The text of an event whose reason changes so is there once, as it was.
#[test]
fn text_with_such_a_reason_stays() {
    let call = says(0, &format!("{CALL}<|call|>"));
    let settings = Settings::default();
    for text in ["More.", "<|end|> or so", ""] {
        let last = chunk(json!([{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]));
        for (between, settings) in
            [(ends(0, "stop"), settings), (says(0, "Much."), settings.max_transcript(64))]
        {
            let (out, _) = chat(&(role(0) + &call + &between + &last + DONE), settings);
            let end =
                events(&out).into_iter().rfind(|data| data.contains("finish_reason\":\"")).expect("a reason");
            let end: serde_json::Value = serde_json::from_str(&end).expect("JSON");
            assert_eq!(end["choices"][0]["finish_reason"], "tool_calls", "{out}");
            assert_eq!(end["choices"][0]["delta"]["content"].as_str().unwrap_or_default(), text, "{out}");
            assert!(text.is_empty() || out.matches(text).count() == 1, "{out}");
        }
    }
}
