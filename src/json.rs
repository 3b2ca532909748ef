//! A push recogniser for one JSON object, as `JSON.parse` takes it (RFC 8259).
//!
//! It keeps no text and builds no value: it says open, complete or dead. Nesting costs one bit a level, so a
//! million levels work. Lone surrogates in escapes, huge exponents and doubled keys are fine, as they are there.

use alloc::vec::Vec;

/// Reads one object that begins with the first byte it is fed.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    state: State,
    open: Containers,
    /// The text is known to be UTF-8, so its strings need no check.
    utf8: bool,
}

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
    Text(Role),
    Escape(Role),
    /// So many hexadecimal digits of `\u` are missing.
    Hex(Role, u8),
    Number(Number),
    /// The rest of `true`, `false` or `null`.
    Literal(&'static [u8]),
    Complete,
    Dead,
}

/// What a string is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Key,
    Value,
}

/// Where in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Integer,
    Dot,
    Fraction,
    E,
    Sign,
    Exponent,
}

impl Json {
    pub(crate) fn new(utf8: bool) -> Json {
        Json { state: State::Begin, open: Containers::default(), utf8 }
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
        matches!(self.state, State::Text(_))
    }

    /// Takes the next bytes. In byte mode a UTF-8 sequence must come whole.
    pub(crate) fn feed(&mut self, text: &[u8]) -> Progress {
        let mut at = 0;
        while at < text.len() {
            let next = match self.state {
                State::Text(role) => self.string(role, text, at),
                State::Complete => return Progress::Complete(at),
                _ => self.byte(text[at]).then_some(at + 1),
            };
            match next {
                Some(next) => at = next,
                // The byte that ends a number is read again as what follows the number.
                None if self.ends_number() => self.state = State::After,
                None => {
                    self.state = State::Dead;
                    return Progress::Dead(at);
                }
            }
        }
        if self.is_complete() { Progress::Complete(at) } else { Progress::Open }
    }

    /// The hot loop: a string up to its end or the end of the text. `None`: a byte that may not be in a string
    /// (the caller's offset is then advanced to it by the plain run before).
    fn string(&mut self, role: Role, text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            at = plain(text, at, self.utf8);
            match text.get(at) {
                None => return Some(at),
                Some(b'"') => {
                    self.state = if role == Role::Key { State::Colon } else { State::After };
                    return Some(at + 1);
                }
                Some(b'\\') => match text.get(at + 1) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 2,
                    _ => {
                        self.state = State::Escape(role);
                        return Some(at + 1);
                    }
                },
                Some(0x80..) => match sequence(&text[at..]) {
                    0 => return self.reject(at),
                    n => at += n,
                },
                Some(_) => return self.reject(at),
            }
        }
    }

    /// Stops in front of a byte that kills, so that [`feed`](Self::feed) can name its offset.
    fn reject(&mut self, at: usize) -> Option<usize> {
        self.state = State::Dead;
        Some(at)
    }

    /// One byte outside the plain part of a string; false if it cannot stand here.
    fn byte(&mut self, b: u8) -> bool {
        if matches!(b, b' ' | b'\n' | b'\t' | b'\r') && self.between_tokens() {
            return true;
        }
        self.state = match (self.state, b) {
            (State::Begin | State::Value | State::FirstItem, b'{') => {
                // Only an object may stand at the top.
                self.open.push(true);
                State::FirstKey
            }
            (State::FirstKey | State::Key, b'"') => State::Text(Role::Key),
            (State::FirstKey, b'}') => self.close(true),
            (State::Colon, b':') => State::Value,
            (State::FirstItem, b']') => self.close(false),
            (State::Value | State::FirstItem, b'[') => {
                self.open.push(false);
                State::FirstItem
            }
            (State::Value | State::FirstItem, b) => value(b),
            (State::After, b',') => {
                if self.open.in_object() {
                    State::Key
                } else {
                    State::Value
                }
            }
            (State::After, b'}') => self.close(true),
            (State::After, b']') => self.close(false),
            (State::Escape(role), b'u') => State::Hex(role, 4),
            (State::Escape(role), b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                State::Text(role)
            }
            (State::Hex(role, missing), b) if b.is_ascii_hexdigit() => {
                if missing == 1 {
                    State::Text(role)
                } else {
                    State::Hex(role, missing - 1)
                }
            }
            (State::Literal([first, rest @ ..]), b) if *first == b => {
                if rest.is_empty() {
                    State::After
                } else {
                    State::Literal(rest)
                }
            }
            (State::Number(number), b) => match number.next(b) {
                Some(number) => State::Number(number),
                None => return false,
            },
            _ => State::Dead,
        };
        self.state != State::Dead
    }

    fn between_tokens(&self) -> bool {
        matches!(
            self.state,
            State::FirstKey | State::Key | State::Colon | State::Value | State::FirstItem | State::After
        )
    }

    fn close(&mut self, object: bool) -> State {
        if self.open.in_object() != object {
            return State::Dead;
        }
        self.open.pop();
        if self.open.is_empty() { State::Complete } else { State::After }
    }

    fn ends_number(&self) -> bool {
        matches!(
            self.state,
            State::Number(Number::Zero | Number::Integer | Number::Fraction | Number::Exponent)
        )
    }
}

/// How a value begins that is no container.
fn value(b: u8) -> State {
    match b {
        b'"' => State::Text(Role::Value),
        b'-' => State::Number(Number::Minus),
        b'0' => State::Number(Number::Zero),
        b'1'..=b'9' => State::Number(Number::Integer),
        b't' => State::Literal(b"rue"),
        b'f' => State::Literal(b"alse"),
        b'n' => State::Literal(b"ull"),
        _ => State::Dead,
    }
}

impl Number {
    fn next(self, b: u8) -> Option<Number> {
        Some(match (self, b) {
            (Number::Minus, b'0') => Number::Zero,
            (Number::Minus, b'1'..=b'9') | (Number::Integer, b'0'..=b'9') => Number::Integer,
            (Number::Zero | Number::Integer, b'.') => Number::Dot,
            (Number::Dot | Number::Fraction, b'0'..=b'9') => Number::Fraction,
            (Number::Zero | Number::Integer | Number::Fraction, b'e' | b'E') => Number::E,
            (Number::E, b'+' | b'-') => Number::Sign,
            (Number::E | Number::Sign | Number::Exponent, b'0'..=b'9') => Number::Exponent,
            _ => return None,
        })
    }
}

/// The open containers, innermost last, one bit each: set for an object. The last 64 lie in `top`.
#[derive(Clone, Debug, Default)]
struct Containers {
    top: u64,
    full: Vec<u64>,
    depth: usize,
}

impl Containers {
    fn push(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.full.push(self.top);
        }
        self.top = self.top << 1 | u64::from(object);
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
        self.top >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.top = self.full.pop().unwrap_or(0);
        }
    }

    fn in_object(&self) -> bool {
        self.top & 1 == 1
    }

    fn is_empty(&self) -> bool {
        self.depth == 0
    }

    fn clear(&mut self) {
        self.top = 0;
        self.full.clear();
        self.depth = 0;
    }
}

/// The offset, from `at` on, of the first byte that needs a look in a string: a quote, a backslash, a control
/// byte and, unless the text is known to be UTF-8, the start of a longer sequence. Eight bytes at a time.
#[inline]
fn plain(text: &[u8], mut at: usize, utf8: bool) -> usize {
    let high = if utf8 { 0 } else { HIGH };
    while let Some(&word) = text[at..].first_chunk() {
        let word = u64::from_le_bytes(word);
        let found = special(word) | word & high;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < text.len() && !matches!(text[at], b'"' | b'\\' | 0..0x20) && (utf8 || text[at] < 0x80) {
        at += 1;
    }
    at
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte that is a quote, a backslash or a control byte. A borrow may set bits above the
/// lowest one that is right, so only the lowest counts.
#[inline]
fn special(word: u64) -> u64 {
    let quote = word ^ LOW * b'"' as u64;
    let backslash = word ^ LOW * b'\\' as u64;
    (word.wrapping_sub(LOW * 0x20) & !word
        | quote.wrapping_sub(LOW) & !quote
        | backslash.wrapping_sub(LOW) & !backslash)
        & HIGH
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
}
