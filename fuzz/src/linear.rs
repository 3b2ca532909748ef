//! Whatever goes on and on behind whatever takes time by its length, in the parser and in the leak detector.

use harmony_stream::leak::{DetectOptions, Detector, Surface};
use harmony_stream::{Input, Parser};

use crate::input::{self, CUT};
use crate::timing::{FACTOR, linear};

/// Bytes of the small text; the large one still takes no time, and looking at all of it with each push does.
const BYTES: usize = 1 << 8;
/// What stands before and behind would hide the rest, were it longer.
const LONGEST: usize = 96;

/// A byte from `FIRST_WORD` on stands for one of these, so that a fuzzer soon comes by any few of them in a row.
const WORDS: [&str; 14] = [
    "<|start|>",
    "<|channel|>",
    "<|message|>",
    "<|constrain|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "assistant",
    "final",
    "commentary",
    "to=",
    "functions.f",
    "json",
    "{}",
];
const FIRST_WORD: u8 = 0x0e;

/// After the options' byte come the beginning, what is repeated, and the end, a `CUT` behind each. Bit 5 of the options
/// takes the detector, bits 6 and 7 the size of a piece.
pub fn check(data: &[u8]) {
    let Some((byte, rest)) = input::split(data) else { return };
    let mut parts = rest.splitn(3, |&b| b == CUT).map(|part| spelled(&part[..part.len().min(LONGEST)]));
    let [begin, again, end] = [(); 3].map(|()| parts.next().unwrap_or_default());
    if again.is_empty() {
        return;
    }
    let text = |bytes: usize| [&begin[..], &again.repeat(bytes.div_ceil(again.len())), &end].concat();
    let size = 1 << (byte >> 6);
    let run =
        |text: &[u8]| if byte >> 5 & 1 == 1 { detect(text, size, byte) } else { parse(text, size, byte) };
    linear(&text(BYTES)[..], &text(BYTES * FACTOR)[..], run).expect("it is linear");
}

fn spelled(part: &[u8]) -> Vec<u8> {
    let word = |&byte: &u8| byte.checked_sub(FIRST_WORD).and_then(|number| WORDS.get(usize::from(number)));
    part.iter()
        .flat_map(|byte| word(byte).map_or(std::slice::from_ref(byte), |word| word.as_bytes()).to_vec())
        .collect()
}

fn parse(text: &[u8], size: usize, byte: u8) {
    let mut parser = Parser::<[u8]>::new(input::options(byte).input(Input::Text));
    for piece in text.chunks(size) {
        parser.push(piece).expect("it is open").for_each(drop);
    }
    parser.finish().expect("it is open").for_each(drop);
}

fn detect(text: &[u8], size: usize, byte: u8) {
    let surface = [Surface::Text, Surface::Thinking, Surface::ToolArg][usize::from(byte & 3) % 3];
    let mut detector = Detector::new(surface, DetectOptions::new());
    for piece in text.chunks(size) {
        detector.push(piece);
    }
    detector.finish();
}
