//! No parsers, but what bounds one: the work that cannot be left out, done alone.

use std::hint::black_box;

use memchr::memmem;
use serde::de::IgnoredAny;

use crate::serve::{Loaded, Peer, Sink};

/// Every piece is appended to a buffer, as a parser must that owns its transcript.
pub(crate) struct Memcpy;

impl Peer for Memcpy {
    fn run(&self, input: &Loaded, _: &mut impl Sink) -> Result<(), String> {
        let mut buffer = Vec::new();
        for piece in input.pieces() {
            buffer.extend_from_slice(black_box(piece).as_bytes());
        }
        black_box(&buffer);
        Ok(())
    }
}

/// Every `<|` is found.
pub(crate) struct Memmem;

impl Peer for Memmem {
    fn run(&self, input: &Loaded, _: &mut impl Sink) -> Result<(), String> {
        black_box(memmem::find_iter(input.text.as_bytes(), "<|").count());
        Ok(())
    }
}

/// The text is validated.
pub(crate) struct Utf8;

impl Peer for Utf8 {
    fn run(&self, input: &Loaded, _: &mut impl Sink) -> Result<(), String> {
        simdutf8::basic::from_utf8(input.text.as_bytes()).map(|_| ()).map_err(|error| error.to_string())
    }
}

/// The last arguments in the text are read, and nothing is made of them.
pub(crate) struct Json;

impl Peer for Json {
    fn run(&self, input: &Loaded, _: &mut impl Sink) -> Result<(), String> {
        let from = memmem::rfind(input.text.as_bytes(), "<|message|>".as_bytes()).map_or(0, |at| at + 11);
        let object = input.text[from..].trim_end_matches("<|call|>");
        serde_json::from_str::<IgnoredAny>(object).map(|_| ()).map_err(|error| error.to_string())
    }
}
