//! Filters of responses: however the bytes arrive the same goes out, and what has no markup goes out as it came.

use harmony_stream::openai::{ChatFilter, OllamaFilter, Settings, Summary};
use harmony_stream::{Policy, Start};

use crate::input::{self, CUT};

/// The first byte: the options of the parsers, and in bit 5 Ollama's format; the second: which limits are low.
pub fn check(data: &[u8]) {
    let [byte, low, rest @ ..] = data else { return };
    let options = input::options(*byte).start(Start::Detect);
    let settings = limits(*low, Settings::default().parser(options));
    let filter = |pieces: &[&[u8]]| {
        if byte >> 5 & 1 == 1 {
            through(OllamaFilter::new(settings), pieces, OllamaFilter::push, OllamaFilter::finish)
        } else {
            through(ChatFilter::new(settings), pieces, ChatFilter::push, ChatFilter::finish)
        }
    };
    let pieces: Vec<&[u8]> = rest.split(|&b| b == CUT).collect();
    let stream = pieces.concat();
    let (whole, found) = filter(&[&stream]);
    let (cut, found_cut) = filter(&pieces);
    assert_eq!((show(&cut), found_cut), (show(&whole), found));
    assert!(std::str::from_utf8(&stream).is_err() || std::str::from_utf8(&whole).is_ok());
    // Without "<", and without an escape that may stand for one, there is no markup.
    if stream.iter().any(|b| b"<\\".contains(b)) {
        return;
    }
    assert_eq!(found.split, 0);
    if input::policy(*byte) == Policy::Recover {
        assert_eq!(show(&whole), show(&stream));
    } else {
        // A comment does not wait behind text that does.
        assert_eq!(lines(&whole), lines(&stream));
    }
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    lines.sort_unstable();
    lines
}

/// As a person can read it.
fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn limits(low: u8, mut settings: Settings) -> Settings {
    for (bit, limit) in
        [Settings::max_event, Settings::max_transcript, Settings::max_held].into_iter().enumerate()
    {
        if low >> bit & 1 == 1 {
            settings = limit(settings, 200);
        }
    }
    if low >> 3 & 1 == 1 { settings.max_choices(1) } else { settings }
}

/// What a filter makes of the pieces.
fn through<F>(
    mut filter: F,
    pieces: &[&[u8]],
    push: fn(&mut F, &[u8], &mut Vec<u8>),
    finish: fn(F, &mut Vec<u8>) -> Summary,
) -> (Vec<u8>, Summary) {
    let mut out = Vec::new();
    pieces.iter().for_each(|piece| push(&mut filter, piece, &mut out));
    let found = finish(filter, &mut out);
    (out, found)
}
