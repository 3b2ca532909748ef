//! Every row of the detection vectors: in one go, byte by byte, and cut at random.

use harmony_stream::leak::{Classes, DetectOptions, Detection, Detector, Surface, detect, label};
use serde_json::{Value, json};

fn surface(row: &Value) -> Surface {
    match row["surface"].as_str().unwrap() {
        "assistant_text" => Surface::Text,
        "assistant_thinking" => Surface::Thinking,
        "tool_arg" => Surface::ToolArg,
        other => panic!("no surface {other}"),
    }
}

fn options(row: &Value) -> DetectOptions {
    DetectOptions::new().parsed_end(row["parsed_end"].as_u64().map(|end| end as usize))
}

fn letters(classes: Classes) -> Vec<&'static str> {
    classes.iter().map(|class| class.letter()).collect()
}

fn as_json(detection: Option<&Detection>, text: &str) -> Value {
    let Some(detection) = detection else { return Value::Null };
    let signals: Vec<Value> = detection
        .signals
        .iter()
        .map(|signal| {
            json!({
                "classes": letters(signal.classes),
                "start": signal.start,
                "end": signal.end,
                "text": signal.text(text),
            })
        })
        .collect();
    json!({ "signals": signals })
}

fn push(pieces: impl Iterator<Item = impl AsRef<[u8]>>, row: &Value, late: bool) -> Option<Detection> {
    let end = row["parsed_end"].as_u64();
    let told = if late { DetectOptions::new() } else { options(row) };
    let mut detector = Detector::new(surface(row), told);
    let mut signals = Vec::new();
    for piece in pieces {
        signals.extend_from_slice(detector.push(piece));
    }
    if late && let Some(end) = end {
        signals.extend_from_slice(detector.set_parsed_end(end as usize));
    }
    signals.extend_from_slice(detector.finish());
    assert_eq!(detector.detected(), !signals.is_empty());
    detector.detection(signals)
}

/// Pieces of up to `longest` bytes, cut by a small generator.
fn pieces(text: &[u8], mut seed: u64, longest: usize) -> Vec<&[u8]> {
    let mut rest = text;
    let mut out = Vec::new();
    while !rest.is_empty() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (piece, behind) = rest.split_at(rest.len().min((seed >> 33) as usize % (longest + 1)));
        out.push(piece);
        rest = behind;
    }
    out
}

fn check(file: &str) -> usize {
    let mut rows = 0;
    for line in file.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row.get("text").or(row.get("input")).unwrap().as_str().unwrap();
        let detection = detect(text, surface(&row), &options(&row));
        assert_eq!(as_json(detection.as_ref(), text), row["detection"], "{}", row["id"]);
        if let Some(expected) = row.get("label") {
            assert_eq!(label(detection.as_ref().map_or(&[], |d| &d.signals)), *expected, "{}", row["id"]);
        }
        for signal in detection.iter().flat_map(|d| &d.signals) {
            assert!(text.is_char_boundary(signal.start) && text.is_char_boundary(signal.end));
        }
        let chars = text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]);
        assert_eq!(push(chars, &row, false), detection, "{} by characters", row["id"]);
        assert_eq!(push(text.as_bytes().chunks(1), &row, false), detection, "{} by bytes", row["id"]);
        for (seed, longest) in [(1, 7), (2, 30), (3, 200)] {
            let cut = pieces(text.as_bytes(), seed + rows as u64, longest);
            assert_eq!(push(cut.iter(), &row, false), detection, "{} in pieces up to {longest}", row["id"]);
            if surface(&row) == Surface::ToolArg {
                assert_eq!(push(cut.iter(), &row, true), detection, "{} told late", row["id"]);
            }
        }
        rows += 1;
    }
    rows
}

#[test]
fn cases() {
    assert_eq!(check(include_str!("vectors/leak-cases.jsonl")), 248);
}

#[test]
fn random() {
    assert_eq!(check(include_str!("vectors/leak-random.jsonl")), 3000);
}

#[test]
fn surrogate_edges() {
    assert_eq!(check(include_str!("vectors/leak-surrogate-edges.jsonl")), 272);
}

#[test]
fn recovery_rows_are_detected() {
    assert_eq!(check(include_str!("vectors/leak-recovery.jsonl")), 329);
}
