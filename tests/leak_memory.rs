//! A gigabyte in pieces, counted by the allocator.

#[path = "support/allocator.rs"]
#[allow(dead_code)]
mod allocator;

use allocator::{live, peak, restart_peak};
use harmony_stream::leak::{DetectOptions, Detector, Surface};

const LIMIT: usize = 64 * 1024;

/// Pushes `text` in pieces of `size` until `total` bytes are in.
fn push(surface: Surface, text: &str, size: usize, total: usize) {
    let options = DetectOptions::new().parsed_end((surface == Surface::ToolArg).then_some(0));
    let before = live();
    restart_peak();
    let mut detector = Detector::new(surface, options);
    let mut pushed = 0;
    while pushed < total {
        for piece in text.as_bytes().chunks(size) {
            detector.push(piece);
            pushed += piece.len();
        }
        assert!(detector.memory() < LIMIT, "it says it holds {} bytes", detector.memory());
        // The word that it searches for is not counted.
        let holds = live() - before - detector.memory() as isize;
        assert!(holds < 32, "it holds {holds} bytes more than it says");
    }
    detector.finish();
    let peak = peak() - before;
    assert!(peak < LIMIT as isize, "{:?}... by {size}: {peak} bytes", &text[..text.len().min(20)]);
}

#[test]
fn a_gigabyte_in_pieces_takes_less_than_64_kilobytes() {
    let full = std::env::var_os("HARMONY_FULL_TESTS").is_some();
    let prose = "The ferry leaves at half past nine, and it is not late.\n".repeat(1 << 14);
    push(Surface::Text, &prose, 1 << 20, 1 << 30);
    push(Surface::Text, &prose, 50_000, 1 << 26);
    let hostile = [
        "to=functions.a ",
        "to=functions.",
        "to=functions.a code ",
        "<|end|>",
        "```\n",
        "`",
        " ",
        "user to=functions.a大发",
        "a",
        "<|",
        "\n",
        "to=functions.a code_output\nCell 1:",
    ];
    let total = if full { 1 << 28 } else { 1 << 18 };
    for piece in hostile {
        for size in [7, 1000, 4096] {
            push(Surface::Text, &piece.repeat(2000), size, total);
            // Control tokens before the first T are kept: they count when it comes.
            if !piece.contains("<|end|>") {
                push(Surface::ToolArg, &piece.repeat(2000), size, total);
            }
        }
    }
    // A name that never ends, and a fence line that never ends.
    push(Surface::Text, &("user to=functions.".to_owned() + &"a".repeat(total)), 1000, total);
    push(Surface::Text, &("```\nx\n```".to_owned() + &" ".repeat(total)), 1000, total);
    // What waits for the end of the arguments waits no longer than the text.
    let before = live();
    let mut detector = Detector::new(Surface::ToolArg, DetectOptions::new());
    detector.push("<|end|>".repeat(10_000));
    assert!(live() - before > LIMIT as isize);
    detector.finish();
    assert!(live() - before < LIMIT as isize);
}
