//! Events and results as JSON, for those who log or store them (feature `serde`).

use harmony_stream::leak::{DetectOptions, Surface, detect};
use harmony_stream::structured::Unresolved;
use harmony_stream::{
    Bytes, Channel, DeviationKind, Event, Failure, Finish, MessageEnd, Options, Parser, Span, Status,
    parse_with,
};
use serde_json::{Value, json, to_value};

/// Every event, as it comes from a parser.
#[test]
fn every_event_has_its_form() {
    let bytes = Bytes { analysis: 1, commentary: 2, r#final: 3, other: 4 };
    let failure = Some(Failure { kind: DeviationKind::StrayText, offset: 7 });
    let forms: [(Event<&str>, Value); 12] = [
        (
            Event::MessageStart { channel: Channel::Commentary, recipient: Some("functions.f") },
            json!({ "event": "message_start", "channel": "commentary", "recipient": "functions.f" }),
        ),
        (
            Event::MessageStart { channel: Channel::None, recipient: None },
            json!({ "event": "message_start", "channel": "none", "recipient": null }),
        ),
        (Event::Content { text: "a\"é" }, json!({ "event": "content", "text": "a\"é" })),
        (Event::Reasoning { text: "b" }, json!({ "event": "reasoning", "text": "b" })),
        (
            Event::ToolCallStart { index: 1, name: "f", recipient: "functions.f" },
            json!({ "event": "tool_call_start", "index": 1, "name": "f", "recipient": "functions.f" }),
        ),
        (
            Event::ToolCallArguments { index: 1, text: "{" },
            json!({ "event": "tool_call_arguments", "index": 1, "text": "{" }),
        ),
        (
            Event::ToolCallEnd { index: 1, arguments: "{}", status: Status::Complete },
            json!({ "event": "tool_call_end", "index": 1, "arguments": "{}", "status": "complete" }),
        ),
        (
            Event::MessageEnd { end: MessageEnd::NextHeader },
            json!({ "event": "message_end", "end": "next_header" }),
        ),
        (
            Event::Deviation { kind: DeviationKind::DroppedText, offset: 3, dropped: "x" },
            json!({ "event": "deviation", "kind": "dropped_text", "offset": 3, "dropped": "x" }),
        ),
        (Event::Rollback, json!({ "event": "rollback" })),
        (
            Event::Finish(Finish { failure, last_end: None, deviations: 0, bytes }),
            json!({
                "event": "finish",
                "failure": { "kind": "stray_text", "offset": 7 },
                "last_end": null,
                "deviations": 0,
                "bytes": { "analysis": 1, "commentary": 2, "final": 3, "other": 4 },
            }),
        ),
        (
            Event::Finish(Finish { last_end: Some(MessageEnd::Return), deviations: 2, ..Finish::default() }),
            json!({
                "event": "finish",
                "failure": null,
                "last_end": "return",
                "deviations": 2,
                "bytes": { "analysis": 0, "commentary": 0, "final": 0, "other": 0 },
            }),
        ),
    ];
    for (event, form) in forms {
        assert_eq!(to_value(event).expect("JSON"), form);
    }
}

#[test]
fn spans_are_offsets() {
    let event = Event::Content { text: Span { start: 3, end: 5 } };
    assert_eq!(
        to_value(event).expect("JSON"),
        json!({ "event": "content", "text": { "start": 3, "end": 5 } })
    );
}

#[test]
fn names_are_lower_case() {
    let names = |values: Vec<Value>| {
        values.iter().map(|value| value.as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let channels = [Channel::None, Channel::Analysis, Channel::Commentary, Channel::Final, Channel::Other];
    assert_eq!(
        names(channels.iter().map(|channel| to_value(channel).expect("JSON")).collect()),
        ["none", "analysis", "commentary", "final", "other"]
    );
    let ends = [
        MessageEnd::End,
        MessageEnd::Return,
        MessageEnd::Call,
        MessageEnd::NextHeader,
        MessageEnd::EndOfStream,
    ];
    assert_eq!(
        names(ends.iter().map(|end| to_value(end).expect("JSON")).collect()),
        ["end", "return", "call", "next_header", "end_of_stream"]
    );
    let states = [Status::Complete, Status::Malformed, Status::Incomplete];
    assert_eq!(
        names(states.iter().map(|status| to_value(status).expect("JSON")).collect()),
        ["complete", "malformed", "incomplete"]
    );
    for kind in DeviationKind::ALL {
        assert_eq!(to_value(kind).expect("JSON"), kind.name());
    }
    for reason in [Unresolved::ConstrainedParseFailed, Unresolved::Unconstrained] {
        assert_eq!(to_value(reason).expect("JSON"), reason.name());
    }
}

/// What a parser says, not what a test makes up.
#[test]
fn a_stream_as_json_lines() {
    let mut parser = Parser::<str>::new(Options::lenient());
    parser.push("<|channel|>commentary to=python<|message|>{}<|call|>x").expect("it is open");
    let events: Vec<Value> =
        parser.finish().expect("it is open").map(|event| to_value(event).expect("JSON")).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().expect("a tag")).collect();
    assert_eq!(
        names,
        [
            "message_start",
            "tool_call_start",
            "tool_call_arguments",
            "tool_call_end",
            "message_end",
            "deviation",
            "content",
            "finish"
        ]
    );
}

#[test]
fn a_result_has_the_names_of_the_vectors() {
    let text = "<|channel|>analysis<|message|>Hm.<|end|>\
        <|start|>assistant<|channel|>commentary to=functions.f<|message|>{\"a\":1}<|call|>";
    let parsed = to_value(parse_with(text, Options::default())).expect("JSON");
    assert_eq!(parsed["content"], "");
    assert_eq!(parsed["reasoning"], "Hm.");
    assert_eq!(
        parsed["tool_calls"],
        json!([{
            "name": "f", "recipient": "functions.f", "arguments": "{\"a\":1}", "status": "complete"
        }])
    );
    assert_eq!(parsed["finish"]["last_end"], "call");
    let bytes = to_value(parse_with(&b"\xff"[..], Options::default())).expect("JSON");
    assert_eq!(bytes["content"], json!([255]), "bytes are numbers");
}

#[test]
fn a_detection_lists_letters() {
    let detection = detect("user to=functions.edit", Surface::Text, &DetectOptions::new());
    assert_eq!(
        to_value(detection).expect("JSON"),
        json!({
            "surface": "assistant_text",
            "content_index": null,
            "tool_name": null,
            "tool_call_id": null,
            "signals": [{ "classes": ["M", "C"], "start": 5, "end": 22 }],
        })
    );
}
