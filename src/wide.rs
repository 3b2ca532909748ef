//! Eight bytes at a time in an ordinary register, for what is too short for a vector search.

/// How many bytes a word holds.
pub(crate) const WORD: usize = 8;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The first bytes of `text`, eight at most, the first lowest; zeroes where it is shorter. Without a loop, since
/// token-sized pieces come here.
#[inline]
pub(crate) fn load(text: &[u8]) -> u64 {
    if let Some(&word) = text.first_chunk() {
        return u64::from_le_bytes(word);
    }
    let n = text.len();
    if let (Some(&first), Some(&last)) = (text.first_chunk(), text.last_chunk()) {
        // The halves overlap, and agree where they do.
        return u64::from(u32::from_le_bytes(first)) | u64::from(u32::from_le_bytes(last)) << (8 * (n - 4));
    }
    if n == 0 {
        return 0;
    }
    u64::from(text[0]) | u64::from(text[n / 2]) << (8 * (n / 2)) | u64::from(text[n - 1]) << (8 * (n - 1))
}

/// The high bit of each byte that is `b`. A borrow may mark a byte above a right one by mistake: only the lowest
/// mark is sure.
#[inline]
pub(crate) fn equal(word: u64, b: u8) -> u64 {
    let word = word ^ (LOW * u64::from(b));
    word.wrapping_sub(LOW) & !word & HIGH
}

/// The same for bytes below 0x20.
#[inline]
pub(crate) fn control(word: u64) -> u64 {
    word.wrapping_sub(LOW * 0x20) & !word & HIGH
}

/// The high bit of each byte that is not ASCII.
#[inline]
pub(crate) fn longer(word: u64) -> u64 {
    word & HIGH
}

/// Which byte the lowest mark is on; `WORD` if there is none.
#[inline]
pub(crate) fn first(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// The marks on bytes from `n` on, `n` at most `WORD`.
#[inline]
pub(crate) fn from(marks: u64, n: usize) -> u64 {
    if n < WORD { marks & u64::MAX << (8 * n) } else { 0 }
}

/// The marks on bytes before `n`.
#[inline]
pub(crate) fn before(marks: u64, n: usize) -> u64 {
    if n < WORD { marks & !(u64::MAX << (8 * n)) } else { marks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_loads() {
        let text = b"abcdefghij";
        for n in 0..=text.len() {
            let mut expected = [0; WORD];
            expected[..n.min(WORD)].copy_from_slice(&text[..n.min(WORD)]);
            assert_eq!(load(&text[..n]), u64::from_le_bytes(expected), "{n}");
        }
    }

    #[test]
    fn every_byte_at_every_place() {
        for (b, at) in (0..=255u8).flat_map(|b| (0..WORD).map(move |at| (b, at))) {
            let mut block = [b'a'; WORD];
            block[at] = b;
            let word = load(&block);
            let found = |found: bool| if found { at } else { WORD };
            assert_eq!(first(equal(word, b'<')), found(b == b'<'), "{b} at {at}");
            assert_eq!(first(control(word)), found(b < 0x20), "{b} at {at}");
            assert_eq!(first(longer(word)), found(b >= 0x80), "{b} at {at}");
        }
    }

    #[test]
    fn marks_are_cut() {
        for n in 0..=WORD {
            assert_eq!(first(from(HIGH, n)), n);
            assert_eq!(before(HIGH, n).count_ones() as usize, n);
        }
    }
}
