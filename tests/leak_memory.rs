//! A gigabyte in pieces, counted by the allocator. One test alone in its program, so that nothing else allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use harmony_stream::leak::{DetectOptions, Detector, Surface};

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(live, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const LIMIT: usize = 64 * 1024;

/// Pushes `text` in pieces of `size` until `total` bytes are in.
fn push(surface: Surface, text: &str, size: usize, total: usize) {
    let options = DetectOptions::new().parsed_end((surface == Surface::ToolArg).then_some(0));
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let mut detector = Detector::new(surface, options);
    let mut pushed = 0;
    while pushed < total {
        for piece in text.as_bytes().chunks(size) {
            detector.push(piece);
            pushed += piece.len();
        }
        assert!(detector.memory() < LIMIT, "it says it holds {} bytes", detector.memory());
        // The word that it searches for is not counted.
        let holds = LIVE.load(Ordering::Relaxed) - before - detector.memory();
        assert!(holds < 32, "it holds {holds} bytes more than it says");
    }
    detector.finish();
    let peak = PEAK.load(Ordering::Relaxed) - before;
    assert!(peak < LIMIT, "{:?}... by {size}: {peak} bytes", &text[..text.len().min(20)]);
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
    let before = LIVE.load(Ordering::Relaxed);
    let mut detector = Detector::new(Surface::ToolArg, DetectOptions::new());
    detector.push("<|end|>".repeat(10_000));
    assert!(LIVE.load(Ordering::Relaxed) - before > LIMIT);
    detector.finish();
    assert!(LIVE.load(Ordering::Relaxed) - before < LIMIT);
}
