//! Hostile load through the C ABI: `cargo run --release --no-default-features --example load -- [PARSERS [MEGABYTES]]`.
//!
//! 50,000 live parsers in one process, fed round-robin in 4-byte chunks; then a parser at its limit; then 1 GB through
//! one parser. Prints what it took.

use std::ffi::c_char;
use std::ptr::null_mut;
use std::time::Instant;
use std::{env, fs};

use harmony_stream_ffi::*;

/// Hostile texts: each parser gets one of them, over and over.
const TEXTS: [&[u8]; 6] = [
    b"<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<",
    b"<|start|><|channel|>final <|end|><|end|>assistant commentary to=functions.a ",
    b"<|channel|>commentary to=functions.a<|message|>{\"a\":[[[[[[\"<|call|>\\u0041\",",
    b"<|channel|>final<|message|>a <|end|> b <|start|> c <|channel|> d <|message|> e ",
    b"\xff\xfe\xe2\x80<|chan\xc3",
    b"<|message|>\xf0\x9f\x8c\x8a<|return|><|constrain|>json ",
];
/// Bytes that each parser gets.
const EACH: usize = 2048;

fn main() {
    let mut arguments = env::args().skip(1).map(|n| n.parse().expect("usage: load [PARSERS [MEGABYTES]]"));
    let parsers = arguments.next().unwrap_or(50_000);
    let megabytes = arguments.next().unwrap_or(1024);
    many(parsers);
    limited();
    one(megabytes << 20);
}

struct Stream(*mut harmony_stream);

impl Stream {
    fn new(policy: u32, max_bytes: u64) -> Stream {
        let mut stream = null_mut();
        let options = harmony_options {
            size: size_of::<harmony_options>(),
            policy,
            routing: HARMONY_ROUTING_ANY_RECIPIENT,
            start: HARMONY_START_DETECT,
            input: HARMONY_INPUT_TEXT,
            max_bytes,
        };
        // SAFETY: both are live.
        assert_eq!(unsafe { harmony_stream_new(&options, &mut stream) }, HARMONY_OK);
        Stream(stream)
    }

    /// Pushes, takes all events, gives the status of the push.
    fn push(&self, text: &[u8]) -> harmony_status {
        let mut events = Vec::<harmony_event>::with_capacity(16);
        let mut count = 0;
        // SAFETY: the handle is live, and the text and the array are as long as they say.
        unsafe {
            let data = text.as_ptr().cast::<c_char>();
            let first = harmony_stream_push(self.0, data, text.len(), events.as_mut_ptr(), 16, &mut count);
            let mut status = first;
            while status == HARMONY_MORE {
                status = harmony_stream_drain(self.0, events.as_mut_ptr(), 16, &mut count);
            }
            assert_eq!(status, first.min(HARMONY_OK));
            first
        }
    }

    fn length(&self) -> usize {
        let mut length = 0;
        // SAFETY: the handle is live.
        let _ = unsafe { harmony_stream_text(self.0, &mut length) };
        length
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the handle is live and not used again.
        unsafe { harmony_stream_free(self.0) };
    }
}

fn many(parsers: usize) {
    let begin = Instant::now();
    let before = resident();
    let streams: Vec<Stream> = (0..parsers).map(|i| Stream::new((i % 2) as u32, 0)).collect();
    let idle = resident();
    for at in (0..EACH).step_by(4) {
        for (i, stream) in streams.iter().enumerate() {
            let text = TEXTS[i % TEXTS.len()];
            let chunk = [0, 1, 2, 3].map(|n| text[(at + n) % text.len()]);
            assert!(stream.push(&chunk) >= HARMONY_OK);
        }
    }
    let fed = resident();
    assert!(streams.iter().all(|stream| stream.length() == EACH));
    println!(
        "{parsers} parsers, {EACH} bytes each in 4-byte chunks: {:.1} s, {} bytes a parser idle, {} fed",
        begin.elapsed().as_secs_f64(),
        (idle - before) / parsers,
        (fed - before) / parsers,
    );
}

/// At its limit a parser refuses, keeps what it has, and can be reset.
fn limited() {
    let stream = Stream::new(HARMONY_POLICY_RECOVER, 64);
    assert_eq!(stream.push(&[b'a'; 60]), HARMONY_OK);
    assert_eq!(stream.push(&[b'b'; 5]), HARMONY_E_LIMIT);
    assert_eq!(stream.length(), 60);
    assert_eq!(stream.push(&[b'b'; 4]), HARMONY_OK);
    // SAFETY: the handle is live.
    assert_eq!(unsafe { harmony_stream_reset(stream.0) }, HARMONY_OK);
    assert_eq!(stream.length(), 0);
    assert_eq!(stream.push(&[b'c'; 64]), HARMONY_OK);
    println!("a parser at its limit refuses, keeps what it has, and goes on after a reset");
}

fn one(bytes: usize) {
    let begin = Instant::now();
    let before = resident();
    let stream = Stream::new(HARMONY_POLICY_RECOVER, 0);
    assert!(stream.push(b"<|channel|>final<|message|>") >= HARMONY_OK);
    let piece = b"The tide turns at noon; a <|end|> quoted, a < b and so on. ".repeat(70);
    while stream.length() < bytes {
        assert!(stream.push(&piece) >= HARMONY_OK);
    }
    println!(
        "{} MB through one parser in {}-byte chunks: {:.1} s, {} MB of memory",
        bytes >> 20,
        piece.len(),
        begin.elapsed().as_secs_f64(),
        (resident() - before) >> 20,
    );
}

/// Bytes of this process in memory (Linux).
fn resident() -> usize {
    let statm = fs::read_to_string("/proc/self/statm").expect("Linux tells");
    let pages: usize = statm.split(' ').nth(1).expect("its second number").parse().expect("a number");
    pages * 4096
}
