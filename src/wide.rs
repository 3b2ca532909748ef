//! Looks at eight bytes at once for those that need a look in a JSON string.

pub(crate) const BLOCK: usize = 8;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte of the block that is a quote, a backslash, a control byte or, unless the text is known
/// to be UTF-8, not ASCII; the first byte is the lowest. A borrow may mark a byte above a right one by mistake, so
/// the caller looks at what it finds.
#[inline]
pub(crate) fn special(block: &[u8; BLOCK], utf8: bool) -> u64 {
    let word = u64::from_le_bytes(*block);
    let quote = word ^ (LOW * b'"' as u64);
    let backslash = word ^ (LOW * b'\\' as u64);
    let found = word.wrapping_sub(LOW * 0x20) & !word
        | quote.wrapping_sub(LOW) & !quote
        | backslash.wrapping_sub(LOW) & !backslash;
    (found | if utf8 { 0 } else { word }) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for utf8 in [false, true] {
            for (b, at) in (0..=255u8).flat_map(|b| (0..BLOCK).map(move |at| (b, at))) {
                let stops = matches!(b, b'"' | b'\\' | 0..0x20) || !utf8 && b >= 0x80;
                let mut block = [b'a'; BLOCK];
                block[at] = b;
                let first = special(&block, utf8).trailing_zeros() as usize / 8;
                assert_eq!(first, if stops { at } else { BLOCK }, "{b} at {at}");
            }
        }
    }
}
