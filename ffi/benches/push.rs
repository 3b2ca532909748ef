//! What a call through the C ABI costs over the same call in Rust: pushes of 4 bytes, one event each, in one run.
//!
//!     cargo bench -p harmony-stream-ffi --bench push

use std::hint::black_box;
use std::time::Instant;

use harmony::{Event, Options, Parser};
use harmony_stream_ffi::*;

const HEADER: &[u8] = b"<|channel|>final<|message|>";
const PIECE: &[u8] = b"word";
const PUSHES: u32 = 100_000;
const ROUNDS: usize = 30;

/// Nanoseconds a push in Rust.
fn rust(parser: &mut Parser<[u8]>) -> f64 {
    parser.reset();
    parser.push(HEADER).expect("an open stream").for_each(drop);
    let start = Instant::now();
    for _ in 0..PUSHES {
        let mut events = parser.push(black_box(PIECE)).expect("an open stream");
        while let Some((Event::Content { text }, position)) = events.next_span() {
            black_box(text.len() + position);
        }
    }
    start.elapsed().as_nanos() as f64 / f64::from(PUSHES)
}

/// Nanoseconds a push through C.
fn c(stream: *mut harmony_stream) -> f64 {
    let mut events = [harmony_event::default(); 16];
    let mut count = 0;
    let mut push = |text: &[u8]| {
        // SAFETY: all pointers are good, and the lengths theirs.
        unsafe {
            harmony_stream_push(
                stream,
                text.as_ptr().cast(),
                text.len(),
                events.as_mut_ptr(),
                events.len(),
                &raw mut count,
            )
        }
    };
    // SAFETY: the handle is live.
    unsafe { harmony_stream_reset(stream) };
    assert_eq!(push(HEADER), HARMONY_OK);
    let start = Instant::now();
    for _ in 0..PUSHES {
        black_box(push(black_box(PIECE)));
    }
    start.elapsed().as_nanos() as f64 / f64::from(PUSHES)
}

fn main() {
    let mut parser = Parser::<[u8]>::new(Options::default());
    let mut stream = std::ptr::null_mut();
    // SAFETY: NULL is the default options, and the place for the handle is good.
    assert_eq!(unsafe { harmony_stream_new(std::ptr::null(), &raw mut stream) }, HARMONY_OK);
    // Alternating, so that a slow moment of the machine falls on both; the best round of each.
    let rounds = (0..ROUNDS).map(|_| (rust(&mut parser), c(stream)));
    let (in_rust, in_c) =
        rounds.fold((f64::MAX, f64::MAX), |best, one| (best.0.min(one.0), best.1.min(one.1)));
    // SAFETY: the handle is ours, and is not used again.
    unsafe { harmony_stream_free(stream) };
    println!(
        "push of 4 bytes, 1 event: Rust {in_rust:.1} ns, C {in_c:.1} ns, difference {:.1} ns",
        in_c - in_rust
    );
}
