//! The detector that takes chunks gives what the one-shot search gives, on character boundaries.

use harmony_stream::leak::{DetectOptions, Detector, Signal, Surface, detect, preview, removed};

use crate::input;

/// The first byte: bits 0 and 1 the surface, bit 2 a parsed end is given, bit 3 it is told late; the second its offset.
pub fn check(data: &[u8]) {
    let [bits, offset, rest @ ..] = data else { return };
    let Some((text, points)) = input::text(rest) else { return };
    let surface = [Surface::Text, Surface::Thinking, Surface::ToolArg][usize::from(bits & 3) % 3];
    let end = (bits & 4 != 0).then(|| usize::from(*offset) % (text.len() + 2));
    let end = end.map(|end| (end..).find(|&at| at >= text.len() || text.is_char_boundary(at)).unwrap_or(end));
    let options = DetectOptions::new().parsed_end(end);
    let expected = detect(&text, surface, &options);
    let late = bits & 8 != 0 && surface == Surface::ToolArg;
    let mut detector = Detector::new(surface, if late { DetectOptions::new() } else { options });
    let mut signals: Vec<Signal> = Vec::new();
    let mut from = 0;
    for to in points.into_iter().chain([text.len()]) {
        signals.extend_from_slice(detector.push(&text.as_bytes()[from..to]));
        from = to;
    }
    if let Some(end) = end.filter(|_| late) {
        signals.extend_from_slice(detector.set_parsed_end(end));
    }
    signals.extend_from_slice(detector.finish());
    assert_eq!(detector.detection(signals), expected);
    for signal in expected.iter().flat_map(|detection| &detection.signals) {
        assert!(!signal.text(&text).is_empty());
    }
    if let Some(detection) = expected {
        preview(removed(&text, &detection));
    }
}
