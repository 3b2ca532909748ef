//! 64 bytes at a time in vector registers.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use wide::u8x16;

/// How many bytes a block holds.
pub(crate) const BLOCK: usize = 64;

/// Bytes, or a set of places: 0xff where it holds, else 0.
#[derive(Clone, Copy)]
pub(crate) struct Block([u8x16; 4]);

impl Block {
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; BLOCK]) -> Block {
        let (quarters, _) = bytes.as_chunks();
        Block([
            u8x16::new(quarters[0]),
            u8x16::new(quarters[1]),
            u8x16::new(quarters[2]),
            u8x16::new(quarters[3]),
        ])
    }

    /// Where the byte is `b`.
    #[inline(always)]
    pub(crate) fn equal(self, b: u8) -> Block {
        self.each(|quarter| quarter.simd_eq(u8x16::splat(b)))
    }

    /// Where the byte is one of `first` to `last`.
    #[inline(always)]
    pub(crate) fn within(self, first: u8, last: u8) -> Block {
        self.each(|quarter| {
            let offset = quarter - u8x16::splat(first);
            offset.min(u8x16::splat(last - first)).simd_eq(offset)
        })
    }

    /// Whether any byte has its high bit: of a text, whether it is not all ASCII; of a set, whether it has a place.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        let [a, b, c, d] = self.0;
        ((a | b) | (c | d)).to_bitmask() != 0
    }

    /// Whether any byte is below 0x20.
    #[inline(always)]
    pub(crate) fn any_control(self) -> bool {
        let [a, b, c, d] = self.0;
        let least = a.min(b).min(c.min(d));
        least.min(u8x16::splat(0x1f)).simd_eq(least).to_bitmask() != 0
    }

    /// A set as bits, the first byte lowest.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        let [a, b, c, d] = self.0.map(|quarter| u64::from(quarter.to_bitmask()));
        (a | b << 16) | (c | d << 16) << 32
    }

    #[inline(always)]
    fn each(self, of: impl Fn(u8x16) -> u8x16) -> Block {
        let [a, b, c, d] = self.0;
        Block([of(a), of(b), of(c), of(d)])
    }

    #[inline(always)]
    fn with(self, other: Block, of: impl Fn(u8x16, u8x16) -> u8x16) -> Block {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Block([of(a, e), of(b, f), of(c, g), of(d, h)])
    }
}

impl BitAnd for Block {
    type Output = Block;
    #[inline(always)]
    fn bitand(self, other: Block) -> Block {
        self.with(other, |a, b| a & b)
    }
}

impl BitOr for Block {
    type Output = Block;
    #[inline(always)]
    fn bitor(self, other: Block) -> Block {
        self.with(other, |a, b| a | b)
    }
}

impl BitXor for Block {
    type Output = Block;
    #[inline(always)]
    fn bitxor(self, other: Block) -> Block {
        self.with(other, |a, b| a ^ b)
    }
}

impl Not for Block {
    type Output = Block;
    #[inline(always)]
    fn not(self) -> Block {
        self.each(|quarter| !quarter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a byte at a time, for every byte at every place.
    #[test]
    fn every_byte_at_every_place() {
        for (b, at) in (0..=255u8).flat_map(|b| (0..BLOCK).map(move |at| (b, at))) {
            let mut bytes = [b'a'; BLOCK];
            bytes[at] = b;
            let block = Block::load(&bytes);
            let here = |holds: bool| if holds { 1 << at } else { 0 };
            assert_eq!(block.equal(b).bits() & 1 << at, 1 << at, "{b} at {at}");
            assert_eq!(block.equal(b'"').bits(), here(b == b'"'), "{b} at {at}");
            assert_eq!(block.within(0, 0x1f).bits(), here(b < 0x20), "{b} at {at}");
            assert_eq!(block.within(b'0', b'9').bits(), here(b.is_ascii_digit()), "{b} at {at}");
            assert_eq!(block.any(), b >= 0x80, "{b} at {at}");
            assert_eq!(block.any_control(), b < 0x20, "{b} at {at}");
        }
    }

    #[test]
    fn sets_combine() {
        let mut bytes = [0; BLOCK];
        for (i, b) in bytes.iter_mut().enumerate() {
            *b = i as u8;
        }
        let block = Block::load(&bytes);
        let (low, middle) = (block.within(0, 40), block.within(30, 50));
        assert_eq!((low & middle).bits(), low.bits() & middle.bits());
        assert_eq!((low | middle).bits(), low.bits() | middle.bits());
        assert_eq!((low ^ middle).bits(), low.bits() ^ middle.bits());
        assert_eq!((!low).bits(), !low.bits());
        assert!(low.any() && !(low & !low).any());
    }
}
