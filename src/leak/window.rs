//! Windows around a marker, measured in UTF-16 units over UTF-8 text.
//!
//! Text that is not UTF-8 does no harm: a byte that belongs to no character, and a character that is cut short, count
//! as one unit. Offsets are those of the whole text, of which only a part may be in view.

use super::marker::is_foreign;

/// The part of the text that can be seen.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    text: &'a [u8],
    /// Offset of its first byte.
    pub(super) base: usize,
    /// Whether the text ends where the view ends.
    pub(super) last: bool,
}

impl<'a> View<'a> {
    pub(super) fn new(text: &'a [u8], base: usize, last: bool) -> View<'a> {
        View { text, base, last }
    }

    pub(super) fn end(&self) -> usize {
        self.base + self.text.len()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at.checked_sub(self.base)?).copied()
    }

    /// What is in view from `start` on.
    pub(super) fn from(&self, start: usize) -> &'a [u8] {
        self.slice(start, self.end())
    }

    /// What is in view between the two offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        let start = start.saturating_sub(self.base).min(self.text.len());
        let end = end.saturating_sub(self.base).min(self.text.len());
        self.text.get(start..end).unwrap_or(&[])
    }

    /// The same view, of the text before `end` only.
    pub(super) fn until(&self, end: usize) -> View<'a> {
        let text = self.slice(self.base, end);
        View { text, base: self.base, last: self.last && text.len() == self.text.len() }
    }

    /// The start of the character that `at` lies in.
    pub(super) fn floor(&self, at: usize) -> usize {
        let inside =
            (0..3).take_while(|n| self.byte(at.wrapping_sub(*n)).is_some_and(is_continuation)).count();
        let start = at.saturating_sub(inside);
        if start < self.base || self.byte(start).is_some_and(is_continuation) { at } else { start }
    }
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// How many bytes a character has that begins with `lead`.
const fn promised(lead: u8) -> usize {
    match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// The length of the character that `text` begins with; `None` if more text decides.
fn char_len(text: &[u8], last: bool) -> Option<usize> {
    let promised = promised(*text.first()?);
    if promised == 1 {
        return Some(1);
    }
    let there = 1 + text[1..].iter().take(promised - 1).take_while(|&&byte| is_continuation(byte)).count();
    (there == promised || there < text.len() || last).then_some(there)
}

/// The length of the character that `text` ends with, 0 if it is empty.
fn last_char_len(text: &[u8]) -> usize {
    if text.last().is_some_and(u8::is_ascii) {
        return 1;
    }
    let Some(back) = text.iter().rev().take(4).position(|&byte| !is_continuation(byte)) else {
        return text.len().min(1);
    };
    if promised(text[text.len() - 1 - back]) > back { back + 1 } else { 1 }
}

const fn units(char_len: usize) -> usize {
    if char_len == 4 { 2 } else { 1 }
}

/// A window's edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The edge, or the near side of the character that it splits.
    pub(super) at: usize,
    /// Whether half a surrogate pair is still inside.
    pub(super) split: bool,
}

/// The edge `left` units before `from`.
pub(super) fn behind(view: View<'_>, from: usize, mut left: usize) -> Edge {
    let text = view.slice(view.base, from);
    let ascii = &text[text.len().saturating_sub(left)..];
    if ascii.is_ascii() {
        return Edge { at: from - ascii.len(), split: false };
    }
    let mut at = from;
    loop {
        let len = last_char_len(view.slice(view.base, at));
        if len == 0 || units(len) > left {
            return Edge { at, split: len != 0 && left > 0 };
        }
        at -= len;
        left -= units(len);
    }
}

/// Measures units ahead, as far as the text is there, and goes on when there is more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruler {
    at: usize,
    left: usize,
}

impl Ruler {
    pub(super) fn new(at: usize, units: usize) -> Ruler {
        Ruler { at, left: units }
    }

    /// Whether the window is full, or the text at its end.
    pub(super) fn advance(&mut self, view: View<'_>) -> bool {
        loop {
            let rest = view.from(self.at);
            // Most text is ASCII: sixteen bytes a step.
            if self.left >= 16 && rest.first_chunk::<16>().is_some_and(|block| block.is_ascii()) {
                self.at += 16;
                self.left -= 16;
                continue;
            }
            if self.left == 0 {
                return true;
            }
            let Some(len) = char_len(rest, view.last) else { return view.last };
            if units(len) > self.left {
                return true;
            }
            self.at += len;
            self.left -= units(len);
        }
    }

    /// The edge that it reached.
    pub(super) fn edge(&self, view: View<'_>) -> Edge {
        Edge { at: self.at, split: self.left > 0 && self.at < view.end() }
    }
}

/// The edge `units` units after `from`.
pub(super) fn ahead(view: View<'_>, from: usize, units: usize) -> Edge {
    let mut ruler = Ruler::new(from, units);
    ruler.advance(view);
    ruler.edge(view)
}

/// Whether two characters of foreign scripts stand side by side.
pub(super) fn has_foreign_run(window: &[u8]) -> bool {
    if window.is_ascii() {
        return false;
    }
    let mut before = false;
    let mut rest = window;
    while let Some(len) = char_len(rest, true) {
        let (c, behind) = rest.split_at(len);
        let foreign = is_foreign(code_point(c));
        if foreign && before {
            return true;
        }
        (before, rest) = (foreign, behind);
    }
    false
}

/// The code point of a character of two or three bytes; 0 for all others, which no script here needs.
pub(super) fn code_point(c: &[u8]) -> u32 {
    match *c {
        [a @ 0xc2..=0xdf, b] => u32::from(a & 0x1f) << 6 | u32::from(b & 0x3f),
        [a @ 0xe0..=0xef, b, c] => u32::from(a & 0x0f) << 12 | u32::from(b & 0x3f) << 6 | u32::from(c & 0x3f),
        _ => 0,
    }
}

/// How many units a text has, and how many of them are ASCII.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    ascii: usize,
    all: usize,
}

impl Share {
    pub(super) fn add(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return self.add_ascii(text.len());
        }
        let mut rest = text;
        while let Some(len) = char_len(rest, true) {
            self.ascii += usize::from(rest[0] < 0x80);
            self.all += units(len);
            rest = &rest[len..];
        }
    }

    pub(super) fn add_ascii(&mut self, count: usize) {
        self.ascii += count;
        self.all += count;
    }

    /// Half a surrogate pair.
    pub(super) fn add_half(&mut self, split: bool) {
        self.all += usize::from(split);
    }

    /// At least 85 in 100.
    pub(super) fn is_mostly_ascii(&self) -> bool {
        self.ascii * 20 >= self.all * 17
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_count_utf16_units() {
        let text = "a😀é大b".as_bytes();
        let view = View::new(text, 100, true);
        assert_eq!(ahead(view, 100, 1).at, 101);
        assert!(ahead(view, 100, 2).split);
        assert_eq!(ahead(view, 100, 3).at, 105);
        assert_eq!(ahead(view, 100, 99).at, 111);
        assert_eq!(behind(view, 111, 3).at, 105);
        assert!(behind(view, 111, 4).split);
        assert_eq!(behind(view, 111, 5).at, 101);
        assert_eq!(behind(view, 111, 99).at, 100);
    }

    #[test]
    fn broken_text_reads_the_same_in_both_directions() {
        let text = b"a\xe2\x82b\x80\x80\xf0\x9f\x98\x80\x80\xc3\xe2\x82\xac\x82\xff\xf0\x9f";
        let mut ahead = alloc::vec![0];
        while let Some(len) = char_len(&text[*ahead.last().unwrap()..], true) {
            ahead.push(ahead.last().unwrap() + len);
        }
        let mut back = alloc::vec![text.len()];
        while *back.last().unwrap() > 0 {
            back.push(back.last().unwrap() - last_char_len(&text[..*back.last().unwrap()]));
        }
        back.reverse();
        assert_eq!(ahead, back);
    }

    #[test]
    fn a_ruler_waits_for_whole_characters() {
        let text = "ab大c".as_bytes();
        let mut ruler = Ruler::new(0, 3);
        assert!(!ruler.advance(View::new(&text[..3], 0, false)));
        assert!(ruler.advance(View::new(&text[..5], 0, false)));
        assert_eq!(ruler.at, 5);
    }
}
