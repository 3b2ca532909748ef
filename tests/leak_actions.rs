//! Every row of the recovery, message and audit vectors.

use std::collections::BTreeMap;

use harmony_stream::leak::{
    Action, AuditEvent, Block, DetectOptions, Detection, Registry, Surface, Tool, ToolCall, detect,
    detect_in_message, preview, recover, recover_message, removed, removed_from_message, sha8, utf16_len,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

fn rows(file: &str) -> impl Iterator<Item = Value> {
    file.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn signals(detection: &Detection, text: &str) -> Value {
    let signal = |signal: &harmony_stream::leak::Signal| {
        let classes: Vec<&str> = signal.classes.iter().map(|class| class.letter()).collect();
        json!({ "classes": classes, "start": signal.start, "end": signal.end, "text": signal.text(text) })
    };
    detection.signals.iter().map(signal).collect()
}

#[test]
fn recovery() {
    let registry = Registry::default();
    let mut count = 0;
    for row in rows(include_str!("vectors/leak-recovery.jsonl")) {
        let input = row["input"].as_str().unwrap();
        let tool = row["tool"].as_str().unwrap_or("");
        let surface = match row["surface"].as_str().unwrap() {
            "tool_arg" => Surface::ToolArg,
            "assistant_thinking" => Surface::Thinking,
            _ => Surface::Text,
        };
        let end = row["parsed_end"].as_u64().map(|end| end as usize);
        let options = DetectOptions::new().parsed_end(end).tool(tool, "c");
        count += 1;
        let Some(detection) = detect(input, surface, &options) else {
            assert!(row["detection"].is_null() && row["audit"].is_null());
            continue;
        };
        let recovered = recover(input, &detection, &registry);
        let as_json =
            recovered.as_ref().map_or(Value::Null, |r| json!({ "clean": r.clean, "removed": r.removed }));
        assert_eq!(as_json, row["recovered"], "{}", row["id"]);
        let (action, removed) = match &recovered {
            Some(recovered) => (Action::TruncateResume, recovered.removed),
            None => (Action::AbortRetry, removed(input, &detection)),
        };
        assert_eq!(removed, row["removed"], "{}", row["id"]);
        let event = AuditEvent::new(action, &detection, removed).retry(2).model("m", "p");
        let audit = json!({
            "action": event.action.name(),
            "signal": event.signal,
            "removed_len": event.removed_len,
            "removed_sha8": event.removed_sha8,
            "removed_preview": event.removed_preview,
        });
        assert_eq!(audit, row["audit"], "{}", row["id"]);
        assert_eq!((event.removed_bytes, event.retry_n), (removed.len(), 2));
        assert_eq!(event.removed_blob, None);
    }
    assert_eq!(count, 329);
}

#[test]
fn messages() {
    let mut count = 0;
    for line in include_str!("vectors/leak-messages.jsonl").lines() {
        message(line);
        count += 1;
    }
    assert_eq!(count, 171);
}

fn message(line: &str) {
    let row: Value = serde_json::from_str(line).unwrap();
    // Raw, because a map would sort the arguments.
    let raw: BTreeMap<String, Box<RawValue>> = serde_json::from_str(line).unwrap();
    let raw: Vec<BTreeMap<String, Box<RawValue>>> = serde_json::from_str(raw["blocks"].get()).unwrap();
    let blocks: Vec<Block<'_>> = row["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&raw)
        .map(|(block, raw)| match block["type"].as_str().unwrap() {
            "text" => Block::Text(block["text"].as_str().unwrap()),
            "thinking" => Block::Thinking(block["thinking"].as_str().unwrap()),
            "toolCall" => Block::ToolCall(ToolCall {
                id: block["id"].as_str().unwrap(),
                name: block["name"].as_str().unwrap(),
                arguments: raw.get("arguments").map_or("", |arguments| arguments.get()),
            }),
            _ => Block::Other,
        })
        .collect();
    let ends =
        |index: usize, _: &ToolCall<'_>| row["parse_ends"][index.to_string()].as_u64().map(|n| n as usize);
    let Some(detection) = detect_in_message(&blocks, ends) else {
        assert!(row["detection"].is_null(), "{}", row["id"]);
        return;
    };
    let text = blocks[detection.content_index.unwrap()].searched();
    let as_json = json!({
        "surface": detection.surface.name(),
        "content_index": detection.content_index,
        "tool_name": detection.tool_name,
        "tool_call_id": detection.tool_call_id,
        "signals": signals(&detection, &text),
    });
    assert_eq!(as_json, row["detection"], "{}", row["id"]);
    assert_eq!(detection.label(), row["label"], "{}", row["id"]);
    let recovered = recover_message(&blocks, &detection, &Registry::default());
    let as_json =
        recovered.as_ref().map_or(Value::Null, |r| json!({ "clean": r.clean, "removed": r.removed }));
    assert_eq!(as_json, row["recovered"], "{}", row["id"]);
    assert_eq!(removed_from_message(&blocks, &detection), row["extracted"], "{}", row["id"]);
}

#[test]
fn audit() {
    let mut count = 0;
    for row in rows(include_str!("vectors/leak-audit.jsonl")) {
        let removed = row["removed"].as_str().unwrap();
        assert_eq!(utf16_len(removed), row["removed_len"], "{}", row["id"]);
        assert_eq!(sha8(removed), row["removed_sha8"], "{}", row["id"]);
        assert_eq!(preview(removed), row["removed_preview"], "{}", row["id"]);
        count += 1;
    }
    assert_eq!(count, 337);
}

fn sql(input: &str, registry: &Registry) -> Option<String> {
    let options = DetectOptions::new().parsed_end(0).tool("sql", "c");
    let detection = detect(input, Surface::ToolArg, &options).unwrap();
    recover(input, &detection, registry).map(|recovered| recovered.clean)
}

#[test]
fn the_registry_can_be_extended_and_changed() {
    let input = "SELECT 1;\nuser to=functions.sql";
    let mut registry = Registry::default();
    assert_eq!(sql(input, &registry), None);
    registry.register("sql", Tool::beginning_with("SELECT", "\n--\n"));
    assert_eq!(sql(input, &registry).as_deref(), Some("SELECT 1;\n--\n"));
    assert_eq!(sql(&input.to_lowercase(), &registry), None);
    registry.register("sql", Tool::when(|input| input.contains("functions"), ""));
    assert_eq!(sql(&input.to_lowercase(), &registry).as_deref(), Some("select 1;"));
    assert_eq!(sql(input, &Registry::empty()), None);
}

#[test]
fn a_detection_of_another_text_recovers_nothing() {
    let input = "é\nx\nuser to=functions.eval";
    let options = DetectOptions::new().parsed_end(0).tool("eval", "c").content_index(0);
    let detection = detect(input, Surface::ToolArg, &options).unwrap();
    assert_eq!(recover("short", &detection, &Registry::default()), None);
    assert_eq!(removed("short", &detection), "");
    assert_eq!(removed_from_message(&[], &detection), "");
    assert_eq!(recover_message(&[Block::Other], &detection, &Registry::default()), None);
}

#[test]
fn white_space_in_arguments_is_not_searched() {
    let call = |arguments| ToolCall { id: "c", name: "write", arguments };
    assert_eq!(call(" { \"a\" : [ 1 ,\n2 ] } ").searched(), "{\"a\":[1,2]}");
    assert_eq!(call("{\"input\": 1, \"input\": \"a\\n\"}").searched(), "a\n");
    assert_eq!(call("{\"cut\": ").searched(), "{\"cut\": ");
}

#[cfg(feature = "serde")]
#[test]
fn results_serialise_as_the_vectors_spell_them() {
    let text = "a\nuser to=functions.edit";
    let options = DetectOptions::new().parsed_end(0).tool("edit", "c").content_index(1);
    let detection = detect(text, Surface::ToolArg, &options).unwrap();
    let expected = json!({
        "surface": "tool_arg",
        "content_index": 1,
        "tool_name": "edit",
        "tool_call_id": "c",
        "signals": [{ "classes": ["M", "C", "T"], "start": 7, "end": 24 }],
    });
    assert_eq!(serde_json::to_value(&detection).unwrap(), expected);
    let event = AuditEvent::new(Action::Escalated, &detection, "x");
    let value = serde_json::to_value(&event).unwrap();
    assert_eq!((&value["action"], &value["surface"]), (&json!("escalated"), &json!("tool_arg")));
    assert!(value.get("removed_blob").is_none());
    let event = serde_json::to_value(event.with_removed("x")).unwrap();
    assert_eq!(event["removed_blob"], "x");
}
