//! Cuts the transcript into control tokens and text. It looks at each byte once, but for a marker that a chunk cut.

use memchr::memmem;

use crate::control::{Control, Spelled, spelled};
use crate::wide;

/// What comes next in the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// So many bytes of text; more of the same run may follow.
    Text(usize),
    Control(Control),
    /// Nothing is certain before more has come.
    Wait,
}

/// The next token of `text`, which is not empty. `utf8`: known to be UTF-8 up to its end. `last`: nothing follows.
#[inline]
pub(crate) fn next(text: &[u8], utf8: bool, last: bool) -> Token {
    match marker(text) {
        (0, Spelled::Marker(control)) => Token::Control(control),
        (0, Spelled::Maybe) if last => Token::Text(text.len()),
        (0, Spelled::Maybe) => Token::Wait,
        (at, Spelled::Marker(_)) => Token::Text(at),
        (_, Spelled::Maybe) if last => Token::Text(text.len()),
        (at, Spelled::Maybe) => Token::Text(at),
        (_, Spelled::No) => plain(text, utf8, last),
    }
}

/// The next token where text is never searched for markers.
#[inline]
pub(crate) fn plain(text: &[u8], utf8: bool, last: bool) -> Token {
    let tail = if utf8 || last { 0 } else { incomplete(text) };
    if tail == text.len() { Token::Wait } else { Token::Text(text.len() - tail) }
}

/// Whether a short piece is all text whatever follows: no `<`, and no character that is cut at its end. Not empty.
#[inline]
pub(crate) fn is_text(piece: &[u8], utf8: bool) -> bool {
    let ends = match piece {
        [] => return false,
        [.., last] => utf8 || *last < 0x80 || incomplete(piece) == 0,
    };
    ends && !has_bracket(piece)
}

/// Whether there is a `<`: in one or two words if the piece is of a token's size.
#[inline]
fn has_bracket(piece: &[u8]) -> bool {
    if piece.len() > 2 * wide::WORD {
        return memchr::memchr(b'<', piece).is_some();
    }
    let tail = piece.get(wide::WORD..).map_or(0, |tail| wide::equal(wide::load(tail), b'<'));
    wide::equal(wide::load(piece), b'<') | tail != 0
}

/// Where the first marker, or what may become one, begins.
#[inline]
fn marker(text: &[u8]) -> (usize, Spelled) {
    let mut from = 0;
    while let Some(at) = bracket(text, from) {
        match spelled(&text[at..]) {
            Spelled::No => from = at + 1,
            found => return (at, found),
        }
    }
    (text.len(), Spelled::No)
}

/// How far a search looks byte by byte (eight at a time) before it prepares a vector search.
const NEAR: usize = 64;

/// The next `<|`, or a `<` at the very end.
#[inline]
fn bracket(text: &[u8], from: usize) -> Option<usize> {
    let near = text.len().min(from + NEAR);
    let mut at = from;
    while let Some(n) = less_than(&text[at..near]) {
        at += n;
        match text.get(at + 1) {
            None | Some(b'|') => return Some(at),
            Some(_) => at += 1,
        }
    }
    if near == text.len() { None } else { far(text, near) }
}

fn far(text: &[u8], from: usize) -> Option<usize> {
    match memmem::find(&text[from..], b"<|") {
        Some(n) => Some(from + n),
        None if text.ends_with(b"<") => Some(text.len() - 1),
        None => None,
    }
}

/// The first `<`, eight bytes at a time.
#[inline]
fn less_than(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        let found = wide::equal(wide::load(&text[at..]), b'<');
        if found != 0 {
            return Some(at + wide::first(found));
        }
        at += wide::WORD;
    }
    None
}

/// How many bytes at the end begin a UTF-8 sequence that is not complete; at most 3.
pub(crate) fn incomplete(text: &[u8]) -> usize {
    match *text {
        [.., 0..=0x7f] => 0,
        [.., 0xc2..=0xf4] => 1,
        [.., 0xe0, 0xa0..=0xbf] | [.., 0xe1..=0xec | 0xee..=0xef, 0x80..=0xbf] | [.., 0xed, 0x80..=0x9f] => 2,
        [.., 0xf0, 0x90..=0xbf] | [.., 0xf1..=0xf3, 0x80..=0xbf] | [.., 0xf4, 0x80..=0x8f] => 2,
        [.., 0xf0, 0x90..=0xbf, 0x80..=0xbf] => 3,
        [.., 0xf1..=0xf3, 0x80..=0xbf, 0x80..=0xbf] | [.., 0xf4, 0x80..=0x8f, 0x80..=0xbf] => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::vec::Vec;

    fn tokens(text: &str) -> Vec<(usize, Token)> {
        let mut at = 0;
        let mut tokens = Vec::new();
        while at < text.len() {
            let token = next(&text.as_bytes()[at..], true, true);
            tokens.push((at, token));
            at += match token {
                Token::Text(n) => n,
                Token::Control(control) => control.literal().len(),
                Token::Wait => unreachable!("the text is whole"),
            };
        }
        tokens
    }

    #[test]
    fn markers_are_found_at_every_distance() {
        for control in Control::ALL {
            for before in 0..200 {
                let text = format!("{}{}<", "<".repeat(before), control.literal());
                let mut expected = Vec::new();
                if before > 0 {
                    expected.push((0, Token::Text(before)));
                }
                expected.push((before, Token::Control(control)));
                expected.push((before + control.literal().len(), Token::Text(1)));
                assert_eq!(tokens(&text), expected, "{text}");
            }
        }
    }

    #[test]
    fn a_cut_marker_waits_and_a_broken_one_is_text() {
        for control in Control::ALL {
            let literal = control.literal().as_bytes();
            for cut in 1..literal.len() {
                assert_eq!(next(&literal[..cut], true, false), Token::Wait);
                assert_eq!(next(&literal[..cut], true, true), Token::Text(cut));
                let broken = [&literal[..cut], b"\x00"].concat();
                assert_eq!(next(&broken, true, false), Token::Text(cut + 1));
            }
        }
    }

    #[test]
    fn an_unfinished_sequence_waits_and_a_broken_one_does_not() {
        for c in ['é', '€', '\u{d7ff}', '\u{10ffff}', '𐀀', '🌊'] {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            for cut in 1..bytes.len() {
                assert_eq!(next(&bytes[..cut], false, false), Token::Wait, "{c}");
                let text = [b"ab", &bytes[..cut]].concat();
                assert_eq!(next(&text, false, false), Token::Text(2), "{c}");
            }
            assert_eq!(next(bytes, false, false), Token::Text(bytes.len()));
        }
        for broken in [&b"\x80"[..], b"\xff", b"\xc0", b"\xe0\x80", b"\xed\xa0", b"\xf4\x90", b"\xc3\xc3a"] {
            assert_eq!(next(broken, false, false), Token::Text(broken.len()), "{broken:x?}");
        }
    }
}
