//! Whatever goes on and on behind whatever takes time by its length, in the parser and in the leak detector.

use harmony_stream::leak::{DetectOptions, Detector, Surface};
use harmony_stream::{Input, Options, Parser};

use crate::input::{self, CUT};
use crate::timing::{FACTOR, linear};

/// Bytes of the small text. The large one is so long that looking at all of it with each push is the larger part.
const BYTES: usize = 1 << 10;
/// What stands before and behind would hide the rest, were it longer.
const LONGEST: usize = 96;

/// After the options' byte come the beginning, what is repeated, and the end, a `CUT` behind each. Bit 5 of the options
/// takes the detector, bits 6 and 7 the size of a piece.
pub fn check(data: &[u8]) {
    let Some((byte, rest)) = input::split(data) else { return };
    let mut parts = rest.splitn(3, |&b| b == CUT).map(|part| &part[..part.len().min(LONGEST)]);
    let (begin, again) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let end = parts.next().unwrap_or_default();
    if again.is_empty() {
        return;
    }
    let text = |bytes: usize| [begin, &again.repeat(bytes.div_ceil(again.len())), end].concat();
    let size = 1 << (byte >> 6);
    let run =
        |text: &[u8]| if byte >> 5 & 1 == 1 { detect(text, size, byte) } else { parse(text, size, byte) };
    linear(&text(BYTES)[..], &text(BYTES * FACTOR)[..], run).expect("it is linear");
}

fn parse(text: &[u8], size: usize, byte: u8) {
    let options: Options = input::options(byte).input(Input::Text);
    let mut parser = Parser::<[u8]>::new(options);
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
