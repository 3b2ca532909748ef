//! The inside of a JSON string, a block at a time and without a jump for each escape: which one comes where is
//! nothing that a processor could foresee.

use crate::block::{BLOCK, Block};
use crate::json::ESCAPE_LETTERS;

/// What some bytes came to that begin inside a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    /// So many are the string's, and it goes on.
    Open(usize),
    /// The closing quote is the last of so many.
    Closed(usize),
}

/// Reads block by block to the end of the string, to where less than a block is left, or to one that may be dead.
/// `utf8`: longer characters are known to be right. The text must not begin inside an escape, and does not end there.
#[inline(never)]
pub(crate) fn inside(text: &[u8], utf8: bool) -> Inside {
    let mut at = 0;
    while at < text.len() {
        at += plain(&text[at..], utf8);
        let Some(block) = text[at..].first_chunk() else { break };
        match look(block, utf8) {
            Some(Inside::Open(n)) => at += n,
            Some(Inside::Closed(n)) => return Inside::Closed(at + n),
            None => break,
        }
    }
    Inside::Open(at)
}

/// How many bytes of whole blocks pass.
#[inline(always)]
fn plain(text: &[u8], utf8: bool) -> usize {
    let mut at = 0;
    if text[0] == b'"' {
        return 0;
    }
    while let Some(bytes) = text[at..].first_chunk()
        && passes(bytes, utf8)
    {
        at += BLOCK;
    }
    // A backslash that passed begins an escape.
    if at > 0 && text[at - 1] == b'\\' { at - 1 } else { at }
}

/// Whether nothing in a block, whose first byte is known, needs a closer look: no backslash but before one of the
/// usual escapes, and no quote but behind one. A backslash behind another fails that.
#[inline(always)]
fn passes(bytes: &[u8; BLOCK + 1], utf8: bool) -> bool {
    let ([first @ .., _], [_, second @ ..]) = (bytes, bytes);
    let (first, second) = (Block::load(first), Block::load(second));
    let backslashes = first.equal(b'\\');
    let usual = second.equal(b'n') | second.equal(b't') | second.equal(b'r');
    let failing = (second.equal(b'"') ^ backslashes) & !usual;
    !failing.any() && !first.any_control() && (utf8 || !first.any())
}

/// How far any block goes; nowhere if it may be dead.
#[inline(never)]
fn look(bytes: &[u8; BLOCK], utf8: bool) -> Option<Inside> {
    let block = Block::load(bytes);
    let backslashes = block.equal(b'\\').bits();
    let escaped = escaped(backslashes);
    let end = block.equal(b'"').bits() & !escaped;
    let mut open = backslashes & !escaped & LAST;
    let mut inside = below_lowest(end);
    let letters = escaped & block.equal(b'u').bits() & inside;
    let cut = letters & WITHOUT_DIGITS;
    if cut != 0 {
        open = cut >> 1;
        inside &= below_lowest(open);
    }
    let [first, rest @ ..] = ESCAPE_LETTERS;
    let short = rest.into_iter().fold(block.equal(first), |short, letter| short | block.equal(letter));
    let good = short.bits() | letters & before_digits(block);
    let wrong = escaped & !good | block.within(0, 0x1f).bits();
    if wrong & inside != 0 {
        return None;
    }
    if !utf8
        && block.any()
        && let Err(error) = core::str::from_utf8(bytes)
    {
        if error.error_len().is_some() {
            return None;
        }
        // A character goes on behind the block.
        open |= 1 << error.valid_up_to();
    }
    Some(match end & inside.wrapping_add(1) {
        0 => Inside::Open(open.trailing_zeros() as usize),
        quote => Inside::Closed(quote.trailing_zeros() as usize + 1),
    })
}

const LAST: u64 = 1 << (BLOCK - 1);

/// Where four digits have no room behind a letter.
const WITHOUT_DIGITS: u64 = 0xf << (BLOCK - 4);

/// The places before four hexadecimal digits.
fn before_digits(block: Block) -> u64 {
    let digits = (block.within(b'0', b'9') | block.within(b'a', b'f') | block.within(b'A', b'F')).bits();
    digits >> 1 & digits >> 2 & digits >> 3 & digits >> 4
}

/// All places below the lowest of some, or all if there is none.
#[inline(always)]
fn below_lowest(places: u64) -> u64 {
    places.wrapping_sub(1) & !places
}

/// The places behind a backslash that is not escaped itself. The first is none.
#[inline(always)]
fn escaped(backslashes: u64) -> u64 {
    // Every second backslash of a run begins an escape. Subtracting a run from the odd places carries along it, so
    // that what is left differs from them just there (found by simdjson's authors).
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let behind = backslashes << 1;
    let codes = ((behind | ODD).wrapping_sub(backslashes)) ^ ODD;
    codes ^ backslashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A string with `piece` behind so many bytes, closed or not, and what follows it: a block at least.
    fn with(before: usize, piece: &[u8]) -> (Vec<u8>, usize) {
        let mut text = [&b"a".repeat(before), piece, &b"z".repeat(150), b"\""].concat();
        let length = text.len();
        text.extend_from_slice(&[b' '; BLOCK]);
        (text, length)
    }

    /// No byte of them is left to the slow way.
    #[test]
    fn what_is_right_is_read_to_its_end() {
        let pieces = [
            r#"\""#, r"\\", r#"\\\""#, r"\/", r"\b", r"\f", r"\n", r"\r\n", r"\t", r"\u00e9", r"\uABcd", "é",
            "漢", "🌊", "\u{7f}",
        ];
        for (piece, before) in pieces.iter().flat_map(|piece| (0..150).map(move |before| (piece, before))) {
            let (text, length) = with(before, piece.as_bytes());
            for utf8 in [true, false] {
                assert_eq!(inside(&text, utf8), Inside::Closed(length), "{piece} behind {before}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_left_to_the_slow_way() {
        for (piece, utf8) in [
            (&b"\\x"[..], true),
            (b"\\u12g4", true),
            (b"\\u12", true),
            (b"\\\xc3\xa9", true),
            (b"\x1f", true),
            (b"\n", true),
            (b"\xff", false),
            (b"\xc3", false),
            (b"\xed\xa0\x80", false),
        ] {
            for before in 0..150 {
                let (text, _) = with(before, piece);
                let found = inside(&text, utf8);
                assert!(
                    matches!(found, Inside::Open(n) if n <= before && n + BLOCK > before),
                    "{found:?}: {piece:?} behind {before}"
                );
            }
        }
    }
}
