//! A push recogniser for one JSON object, as `JSON.parse` takes it (RFC 8259).
//!
//! It keeps no text and builds no value: it says open, complete or dead. Nesting costs one bit a level, so a
//! million levels work. Lone surrogates in escapes, huge exponents and doubled keys are fine, as they are there.

use alloc::vec::Vec;

use crate::block::BLOCK;
use crate::json_block::{Inside, inside};
use crate::wide;

/// Reads one object that begins with the first byte it is fed.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    state: State,
    /// The string at hand is a key.
    key: bool,
    /// Hexadecimal digits that are missing.
    digits: u8,
    /// The byte of [`LITERALS`] that must come next.
    literal: u8,
    open: Containers,
    /// The text is known to be UTF-8, so its strings need no check.
    utf8: bool,
}

/// Each ends with a zero.
const LITERALS: &[u8; 16] = b"true\0false\0null\0";

/// What feeding some bytes came to. Offsets count from the start of the fed slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// All were taken; more must follow.
    Open,
    /// The object is complete before this offset.
    Complete(usize),
    /// The byte at this offset cannot be part of an object.
    Dead(usize),
}

/// Which bytes may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The brace that begins the object.
    Begin,
    /// Behind `{`: a key or `}`.
    FirstKey,
    /// Behind a comma in an object.
    Key,
    Colon,
    /// Behind a colon, or a comma in an array.
    Value,
    /// Behind `[`: a value or `]`.
    FirstItem,
    /// Behind a value: a comma or the end of its container.
    After,
    Text,
    Escape,
    /// In the digits of `\u`; `rest` are missing.
    Hex,
    Minus,
    Zero,
    Integer,
    Dot,
    Fraction,
    E,
    Sign,
    Exponent,
    /// In `true`, `false` or `null`, of which `literal` must come next.
    Literal,
    Complete,
    Dead,
}

impl Json {
    pub(crate) fn new(utf8: bool) -> Json {
        Json { state: State::Begin, key: false, digits: 0, literal: 0, open: Containers::default(), utf8 }
    }

    pub(crate) fn restart(&mut self) {
        self.state = State::Begin;
        self.open.clear();
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// Inside a string where any printable character may follow.
    pub(crate) fn in_string(&self) -> bool {
        self.state == State::Text
    }

    /// Whether all of a short piece is the plain inside of a string, so that feeding it would change nothing.
    #[inline]
    pub(crate) fn passes(&self, piece: &[u8]) -> bool {
        self.in_string()
            && piece.len() <= wide::WORD
            && wide::before(self.marks(wide::load(piece)), piece.len()) == 0
    }

    /// Takes the next bytes. In byte mode a UTF-8 sequence must come whole.
    pub(crate) fn feed(&mut self, text: &[u8]) -> Progress {
        let mut state = self.state;
        let mut at = 0;
        while let Some(&b) = text.get(at) {
            state = match state {
                State::Text => match self.string(text, &mut at) {
                    State::Dead => State::Dead,
                    next => {
                        state = next;
                        continue;
                    }
                },
                State::Complete => break,
                _ if matches!(b, b' ' | b'\n' | b'\t' | b'\r') && state.between_tokens() => state,
                State::Begin => {
                    if b == b'{' {
                        self.object()
                    } else {
                        State::Dead
                    }
                }
                State::FirstKey if b == b'}' => self.close(true),
                State::FirstKey | State::Key => {
                    if b == b'"' {
                        self.text(true)
                    } else {
                        State::Dead
                    }
                }
                State::Colon => {
                    if b == b':' {
                        State::Value
                    } else {
                        State::Dead
                    }
                }
                State::FirstItem if b == b']' => self.close(false),
                State::Value | State::FirstItem => self.value(b),
                State::After => self.after(b),
                State::Escape => self.escape(b),
                State::Hex => self.hex(b),
                State::Literal => self.literal(b),
                _ => match state.digit(b) {
                    // The byte that ends a number is read again as what follows it.
                    State::After => {
                        state = State::After;
                        continue;
                    }
                    next => next,
                },
            };
            if state == State::Dead {
                self.state = state;
                return Progress::Dead(at);
            }
            at += 1;
        }
        self.state = state;
        if self.is_complete() { Progress::Complete(at) } else { Progress::Open }
    }

    /// A string up to its end or the end of the text: a few words, then blocks. Dead: at the byte that may not be in it.
    #[inline]
    fn string(&mut self, text: &[u8], from: &mut usize) -> State {
        let mut at = *from;
        // Most keys end before a block would pay.
        let mut words = at + 2 * wide::WORD;
        while let Some(&word) = text[at..].first_chunk() {
            if at >= words && text.len() - at >= BLOCK {
                match inside(&text[at..], self.utf8) {
                    Inside::Open(n) => at += n,
                    Inside::Closed(n) => {
                        *from = at + n;
                        return self.closed();
                    }
                }
                words = at + BLOCK;
                continue;
            }
            let marks = self.marks(u64::from_le_bytes(word));
            match self.marked(text, at, wide::WORD, marks) {
                Ok(next) => at = next,
                Err((state, end)) => {
                    *from = end;
                    return state;
                }
            }
        }
        let rest = &text[at..];
        if !rest.is_empty() {
            let marks = wide::before(self.marks(wide::load(rest)), rest.len());
            match self.marked(text, at, rest.len(), marks) {
                Ok(next) => at = next,
                Err((state, end)) => {
                    *from = end;
                    return state;
                }
            }
        }
        *from = at;
        State::Text
    }

    fn closed(&self) -> State {
        if self.key { State::Colon } else { State::After }
    }

    /// Marks the bytes that need a look in a string; a mark above another may be wrong.
    #[inline(always)]
    fn marks(&self, word: u64) -> u64 {
        let longer = if self.utf8 { 0 } else { wide::longer(word) };
        wide::equal(word, b'"') | wide::equal(word, b'\\') | wide::control(word) | longer
    }

    /// Looks at the marked bytes of the word at `at`: where to go on, or what the string ends with and where.
    #[inline(always)]
    fn marked(&self, text: &[u8], at: usize, length: usize, mut marks: u64) -> Result<usize, (State, usize)> {
        // The next word begins at a fixed distance but for the rare escape that reaches into it: a branch, so that
        // the processor need not wait to look ahead.
        while marks != 0 {
            let end = self.special(text, at + wide::first(marks))?;
            if end - at >= length {
                return Ok(end);
            }
            marks = wide::from(marks, end - at);
        }
        Ok(at + length)
    }

    /// The byte at `at` of a string and what belongs to it: where that ends, with a state if the string does not
    /// simply go on there.
    #[inline(always)]
    fn special(&self, text: &[u8], at: usize) -> Result<usize, (State, usize)> {
        match text[at..] {
            [b'\\', b, ..] if ESCAPES[usize::from(b)] => Ok(at + 2),
            [b'"', ..] => Err((self.closed(), at + 1)),
            [b'\\', ..] => Err((State::Escape, at + 1)),
            [0..0x20, ..] => Err((State::Dead, at)),
            [0x80..=0xff, ..] if !self.utf8 => match sequence(&text[at..]) {
                0 => Err((State::Dead, at)),
                n => Ok(at + n),
            },
            _ => Ok(at + 1),
        }
    }

    fn text(&mut self, key: bool) -> State {
        self.key = key;
        State::Text
    }

    fn object(&mut self) -> State {
        self.open.push(true);
        State::FirstKey
    }

    #[inline]
    fn value(&mut self, b: u8) -> State {
        match b {
            b'"' => self.text(false),
            b'{' => self.object(),
            b'[' => {
                self.open.push(false);
                State::FirstItem
            }
            b'-' => State::Minus,
            b'0' => State::Zero,
            b'1'..=b'9' => State::Integer,
            b't' => self.literal_from(1),
            b'f' => self.literal_from(6),
            b'n' => self.literal_from(12),
            _ => State::Dead,
        }
    }

    #[inline]
    fn after(&mut self, b: u8) -> State {
        match b {
            b',' if self.open.in_object() => State::Key,
            b',' => State::Value,
            b'}' => self.close(true),
            b']' => self.close(false),
            _ => State::Dead,
        }
    }

    fn close(&mut self, object: bool) -> State {
        if self.open.in_object() != object {
            return State::Dead;
        }
        self.open.pop();
        if self.open.is_empty() { State::Complete } else { State::After }
    }

    fn escape(&mut self, b: u8) -> State {
        match b {
            b'u' => {
                self.digits = 4;
                State::Hex
            }
            b if ESCAPES[usize::from(b)] => State::Text,
            _ => State::Dead,
        }
    }

    fn hex(&mut self, b: u8) -> State {
        if !b.is_ascii_hexdigit() {
            return State::Dead;
        }
        self.digits -= 1;
        if self.digits == 0 { State::Text } else { State::Hex }
    }

    /// `at`: its second byte in [`LITERALS`].
    fn literal_from(&mut self, at: u8) -> State {
        self.literal = at;
        State::Literal
    }

    fn literal(&mut self, b: u8) -> State {
        let at = usize::from(self.literal);
        if LITERALS[at] != b {
            return State::Dead;
        }
        self.literal += 1;
        if LITERALS[at + 1] == 0 { State::After } else { State::Literal }
    }
}

/// The letters that make an escape with the backslash before them.
pub(crate) const ESCAPE_LETTERS: [u8; 8] = *b"\"\\/bfnrt";

/// The same as a table, since a processor can't foresee which it is.
const ESCAPES: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < ESCAPE_LETTERS.len() {
        table[ESCAPE_LETTERS[i] as usize] = true;
        i += 1;
    }
    table
};

impl State {
    fn between_tokens(self) -> bool {
        use State::{After, Colon, FirstItem, FirstKey, Key, Value};
        matches!(self, FirstKey | Key | Colon | Value | FirstItem | After)
    }

    /// The next byte of a number; `After`: it ended before this byte.
    #[inline]
    fn digit(self, b: u8) -> State {
        match (self, b) {
            (State::Minus, b'0') => State::Zero,
            (State::Minus, b'1'..=b'9') | (State::Integer, b'0'..=b'9') => State::Integer,
            (State::Zero | State::Integer, b'.') => State::Dot,
            (State::Dot | State::Fraction, b'0'..=b'9') => State::Fraction,
            (State::Zero | State::Integer | State::Fraction, b'e' | b'E') => State::E,
            (State::E, b'+' | b'-') => State::Sign,
            (State::E | State::Sign | State::Exponent, b'0'..=b'9') => State::Exponent,
            (State::Zero | State::Integer | State::Fraction | State::Exponent, _) => State::After,
            _ => State::Dead,
        }
    }
}

/// The open containers, innermost last, one bit each: set for an object. The last few lie in `top`, behind a set bit
/// that marks where they begin.
#[derive(Clone, Debug)]
struct Containers {
    top: u64,
    full: Vec<u64>,
}

/// The mark alone.
const NONE_OPEN: u64 = 1;

impl Default for Containers {
    fn default() -> Containers {
        Containers { top: NONE_OPEN, full: Vec::new() }
    }
}

impl Containers {
    fn push(&mut self, object: bool) {
        if self.top.leading_zeros() == 0 {
            self.full.push(self.top);
            self.top = NONE_OPEN;
        }
        self.top = self.top << 1 | u64::from(object);
    }

    fn pop(&mut self) {
        self.top >>= 1;
        if self.top == NONE_OPEN {
            self.top = self.full.pop().unwrap_or(NONE_OPEN);
        }
    }

    fn in_object(&self) -> bool {
        self.top & 1 == 1
    }

    fn is_empty(&self) -> bool {
        self.top == NONE_OPEN
    }

    fn clear(&mut self) {
        self.top = NONE_OPEN;
        self.full.clear();
    }
}

/// The length of the UTF-8 sequence that `text` begins with, 0 if it is broken.
fn sequence(text: &[u8]) -> usize {
    let length = match text[0] {
        0..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return 0,
    };
    match text.get(..length) {
        Some(whole) if core::str::from_utf8(whole).is_ok() => length,
        _ => 0,
    }
}

/// Whether all of `text` is one JSON object, without white space around it.
pub(crate) fn is_object(text: &[u8]) -> bool {
    // Text from a `str` passes the check of bytes too; it is only slower.
    Json::new(false).feed(text) == Progress::Complete(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;

    fn whole(text: &[u8]) -> Progress {
        Json::new(false).feed(text)
    }

    #[test]
    fn takes_what_json_parse_takes() {
        for text in [
            r#"{}"#,
            r#"{ "a" : [ ] , "b":{"c":null}}"#,
            r#"{"a":-0.5e+3,"b":1E9,"c":0,"d":1e999,"a":-1}"#,
            r#"{"a":"\ud800","b":"\u00e9\n\/","c":true,"d":false}"#,
            "{\"\":\"\u{7f}\u{2028}\u{1f30a}\"}\t"[..].trim_end(),
            r#"{"a":[1,2,[3,{"b":[]}]]}"#,
        ] {
            assert!(is_object(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn names_the_byte_that_kills() {
        for (text, at) in [
            (&b"[1]"[..], 0),
            (b"{a", 1),
            (b"{,", 1),
            (b"{\"a\" 1", 5),
            (b"{\"a\":01", 6),
            (b"{\"a\":1,}", 7),
            (b"{\"a\":[1,]", 8),
            (b"{\"a\":[1}", 7),
            (b"{\"a\":1]", 6),
            (b"{\"a\":.5", 5),
            (b"{\"a\":-}", 6),
            (b"{\"a\":1.}", 7),
            (b"{\"a\":1e}", 7),
            (b"{\"a\":trux", 8),
            (b"{\"a\":\"b\nc", 7),
            (b"{\"abcdefghijk\x01", 13),
            (b"{\"a\":\"\\x", 7),
            (b"{\"a\":\"\\u12g", 10),
            (b"{\"a\":\"\xff\"", 6),
            (b"{\"a\":\"\xed\xa0\x80\"", 6),
            (b"{\"a\":\"\xc3", 6),
            (b"{\"a\":\xc2\xa01", 5),
        ] {
            assert_eq!(whole(text), Progress::Dead(at), "{}", String::from_utf8_lossy(text));
        }
    }

    /// Whatever lies where in a long string, however its blocks fall: as if it had come a character at a time.
    #[test]
    fn blocks_are_characters() {
        let pieces: [&[u8]; 24] = [
            b"\"",
            b"\\\"",
            b"\\\\",
            b"\\\\\"",
            b"\\\\\\",
            b"\\n",
            b"\\r\\n",
            b"\\/\\b\\f",
            b"\\u12aF",
            b"\\u00g0",
            b"\\u1",
            b"\\x",
            b"\\",
            b"\n",
            b"\x1f",
            b"\x7f",
            "\u{e9}".as_bytes(),
            "\u{6f22}".as_bytes(),
            "\u{1f30a}".as_bytes(),
            b"\xff",
            b"\xc3",
            b"\xed\xa0\x80",
            b"\\\xc3\xa9",
            b"\", \"",
        ];
        for (one, other) in pieces.iter().flat_map(|one| pieces.iter().map(move |other| (one, other))) {
            for at in 0..150 {
                let mut text = [b"{\"k\":\"", &b"a".repeat(at)[..], one, b"\xc3\xa9b", other].concat();
                text.extend_from_slice(&b"c".repeat(200 - at));
                text.extend_from_slice(b"\"}");
                let expected = by_character(&text);
                assert_eq!(whole(&text), expected, "{:?}", String::from_utf8_lossy(&text));
                if core::str::from_utf8(&text).is_ok() {
                    assert_eq!(Json::new(true).feed(&text), expected, "{:?}", String::from_utf8_lossy(&text));
                }
            }
        }
    }

    fn by_character(text: &[u8]) -> Progress {
        let mut json = Json::new(false);
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            let valid =
                chunk.valid().char_indices().map(|(i, c)| &chunk.valid().as_bytes()[i..i + c.len_utf8()]);
            for piece in valid.chain(Some(chunk.invalid()).filter(|invalid| !invalid.is_empty())) {
                match json.feed(piece) {
                    Progress::Open => at += piece.len(),
                    Progress::Complete(n) => return Progress::Complete(at + n),
                    Progress::Dead(n) => return Progress::Dead(at + n),
                }
            }
        }
        Progress::Open
    }

    #[test]
    fn stops_behind_the_object() {
        assert_eq!(whole(b"{\"a\":1} x"), Progress::Complete(7));
        assert_eq!(whole(b"{\"a\":1"), Progress::Open);
    }

    #[test]
    fn every_cut_gives_the_same() {
        let text = br#"{"k\u0041ey":[true,null,-1.5e-7,"a\"b\\c"],"o":{"x":[[]]}}tail"#;
        let expected = whole(text);
        for cut in 0..text.len() {
            let mut json = Json::new(true);
            let got = match json.feed(&text[..cut]) {
                Progress::Open => match json.feed(&text[cut..]) {
                    Progress::Complete(at) => Progress::Complete(cut + at),
                    other => other,
                },
                done => done,
            };
            assert_eq!(got, expected, "cut at {cut}");
        }
    }

    #[test]
    fn a_million_levels() {
        let mut text = String::new();
        for i in 0..1_000_000 {
            text.push_str(if i % 3 == 0 { "{\"a\":" } else { "[" });
        }
        let mut closing = vec![];
        for i in (0..1_000_000).rev() {
            closing.push(if i % 3 == 0 { b'}' } else { b']' });
        }
        text.push_str("{}");
        let mut json = Json::new(true);
        assert_eq!(json.feed(text.as_bytes()), Progress::Open);
        assert_eq!(json.feed(&closing), Progress::Complete(closing.len()));
        let mut json = Json::new(true);
        json.feed(text.as_bytes());
        closing[999_999 - 500_000] ^= b'}' ^ b']';
        assert_eq!(json.feed(&closing), Progress::Dead(499_999));
    }

    /// Around each depth at which the bits move on to another word.
    #[test]
    fn every_depth_knows_what_is_open() {
        for levels in 1..200 {
            let mut opened = String::new();
            let mut closed = String::new();
            for level in 0..levels {
                let object = level == 0 || level % 3 > 0;
                opened.push_str(if object { "{\"a\":" } else { "[" });
                closed.insert(0, if object { '}' } else { ']' });
            }
            let good = opened.clone() + "0" + &closed;
            assert_eq!(whole(good.as_bytes()), Progress::Complete(good.len()), "{levels} levels");
            for at in 0..levels {
                let wrong = if closed.as_bytes()[at] == b'}' { "]" } else { "}" };
                let bad = opened.clone() + "0" + &closed[..at] + wrong;
                assert_eq!(whole(bad.as_bytes()), Progress::Dead(bad.len() - 1), "{at} of {levels} levels");
            }
        }
    }
}
