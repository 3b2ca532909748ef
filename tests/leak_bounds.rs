//! What the detector promises besides its results: when a signal comes, and that the work is linear.

#[path = "support/timing.rs"]
mod timing;

use harmony_stream::leak::{Class, DetectOptions, Detector, Signal, Surface, detect};
use timing::{FACTOR, linear};

/// How many characters of `behind` it takes until the signal comes.
fn waits(text: &str, behind: &str) -> usize {
    let mut detector = Detector::new(Surface::Text, DetectOptions::new());
    assert!(detector.push(text).is_empty());
    let mut buffer = [0; 4];
    let comes = behind.chars().position(|c| !detector.push(c.encode_utf8(&mut buffer)).is_empty());
    comes.map(|n| n + 1).expect("no signal came")
}

#[test]
fn a_signal_comes_with_the_last_unit_of_its_windows() {
    let long_name = format!("user to=functions.{}", "e".repeat(60));
    assert_eq!(waits("user to=functions.edit", &" ".repeat(300)), 240 - "to=functions.edit".len());
    assert_eq!(waits(&long_name, &" ".repeat(300)), 200);
    assert_eq!(waits("user to=functions.edit", &"大".repeat(300)), 223);
    assert_eq!(waits("user to=functions.edit", &"😀".repeat(300)), 112); // 223 units, the last one half a pair
    assert_eq!(waits("<|end|", ">"), 1);
}

#[test]
fn a_control_token_waits_for_the_marker_before_it() {
    let mut detector = Detector::new(Surface::Text, DetectOptions::new());
    assert!(detector.push("to=functions.edit <|end|> ").is_empty());
    assert_eq!(detector.push(" ".repeat(240)).len(), 1);
    assert!(detector.detected());
}

#[test]
fn tool_arguments_are_silent_until_something_trails() {
    let text = "<|end|> user to=functions.a";
    let mut detector =
        Detector::new(Surface::ToolArg, DetectOptions::new().tool("edit", "c1").content_index(3));
    assert!(detector.push(text).is_empty());
    assert!(detector.push(" ".repeat(300)).is_empty());
    let signals: Vec<Signal> = detector.set_parsed_end(10).to_vec();
    assert_eq!(signals.len(), 2);
    assert!(signals[1].classes.contains(Class::Trailing));
    assert!(detector.set_parsed_end(0).is_empty());
    assert!(detector.finish().is_empty());
    let detection = detector.detection(signals).unwrap();
    assert_eq!(detection.content_index, Some(3));
    assert_eq!(
        (detection.tool_name.as_deref(), detection.tool_call_id.as_deref()),
        (Some("edit"), Some("c1"))
    );
}

#[test]
fn reset_makes_a_detector_as_new() {
    let mut detector = Detector::new(Surface::ToolArg, DetectOptions::new().parsed_end(0));
    detector.push("user to=functions.a\n```\n");
    detector.finish();
    detector.reset(Surface::Text, DetectOptions::new());
    assert!(!detector.detected());
    assert_eq!(
        detector.push("<|end|>"),
        detect("<|end|>", Surface::Text, &DetectOptions::new()).unwrap().signals
    );
}

/// `begin`, and `piece` over and over; in chunks of `size`.
fn is_linear(begin: &str, piece: &str, size: usize) {
    const BYTES: usize = 5000;
    let text = |bytes: usize| begin.to_owned() + &piece.repeat(bytes / piece.len());
    let run = |text: &str| {
        let mut detector = Detector::new(Surface::Text, DetectOptions::new());
        for piece in text.as_bytes().chunks(size) {
            detector.push(piece);
        }
        detector.finish();
    };
    linear(&text(BYTES)[..], &text(BYTES * FACTOR)[..], run)
        .unwrap_or_else(|times| panic!("{begin:?} {piece:?} by {size}: {times}"));
}

#[test]
fn work_is_linear_in_hostile_text() {
    let pieces = [
        "to=functions.a ",
        "to=functions.",
        "to=functions.a code ",
        "to=functions.a code_output\nCell 1:",
        "```\n",
        "` ",
        "  ```",
        "`",
        "~",
        " ",
        "\n",
        "<|end|>",
        "<|",
        "=",
        "to=",
        "大",
        "天 to=functions.a大发",
        "a",
        "😀",
    ];
    for piece in pieces {
        for size in [1, 1 << 20] {
            is_linear("", piece, size);
        }
    }
    // One marker whose name, and one line whose blanks, never end.
    for (head, piece) in [("user to=functions.", "a"), ("```\n", " "), ("x", " ```")] {
        is_linear(head, piece, 1);
    }
}
