//! Reads values out of JSON text that is known to be valid. Nothing here recurses, so depth costs nothing.
//!
//! On text that is not valid the answers mean nothing, but nothing panics.

use alloc::string::String;

use memchr::memchr2;

/// The raw text of the object's last member named `key`: the last of duplicate keys counts.
pub(crate) fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let mut cursor = Cursor::inside(object);
    let mut found = None;
    while let Some(name) = cursor.value() {
        let value = cursor.value()?;
        if is_spelled(name, key) {
            found = Some(value);
        }
    }
    found
}

/// The raw text of each value of an array; none if `value` is something else.
pub(crate) fn elements(value: &str) -> impl Iterator<Item = &str> {
    let mut cursor = Cursor::inside(if value.starts_with('[') { value } else { "" });
    core::iter::from_fn(move || cursor.value())
}

/// The string that `value` stands for, if it is a string. A lone surrogate becomes U+FFFD.
pub(crate) fn string(value: &str) -> Option<String> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inner.len());
    unescape(inner, |piece| match piece {
        Piece::Text(text) => out.push_str(text),
        Piece::Char(c) => out.push(c),
        Piece::Lone(_) => out.push(char::REPLACEMENT_CHARACTER),
    });
    Some(out)
}

/// The same JSON without white space, its strings spelled as `JSON.stringify` spells them, its members in order.
pub(crate) fn compact(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut at = 0;
    while let Some(&byte) = json.as_bytes().get(at) {
        let end = token_end(json.as_bytes(), at);
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' if end > at + 1 => respell(&json[at + 1..end - 1], &mut out),
            _ => out.push_str(&json[at..end]),
        }
        at = end;
    }
    out
}

/// Steps over the values inside an object or an array; keys are values here, commas and colons are skipped.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Behind the opening bracket of `text`.
    fn inside(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: text.len().min(1) }
    }

    fn value(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b':')) {
            self.at += 1;
        }
        if matches!(bytes.get(self.at), None | Some(b'}' | b']')) {
            return None;
        }
        let start = self.at;
        self.at = value_end(bytes, start);
        self.text.get(start..self.at)
    }
}

/// Where the value at `at` ends.
fn value_end(text: &[u8], mut at: usize) -> usize {
    // A counter is enough: the text is valid, so every bracket closes its own kind.
    let mut depth = 0_usize;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = token_end(text, at);
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where the token at `at` ends: a string, a bracket, a run of anything else.
fn token_end(text: &[u8], at: usize) -> usize {
    let delimiter =
        |b: &u8| matches!(b, b'{' | b'}' | b'[' | b']' | b'"' | b',' | b':' | b' ' | b'\t' | b'\n' | b'\r');
    match text[at] {
        b'"' => string_end(text, at + 1),
        byte if delimiter(&byte) => at + 1,
        _ => text[at..].iter().position(delimiter).map_or(text.len(), |n| at + n),
    }
}

/// Behind the quote that closes the string whose inside is at `at`.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(n) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += n + 1;
        if text[at - 1] == b'"' {
            return at;
        }
        at += 1; // the escaped character
    }
    text.len()
}

/// Whether the raw key `name` stands for `key`.
fn is_spelled(name: &str, key: &str) -> bool {
    let Some(inner) = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    inner == key || (inner.contains('\\') && string(name).as_deref() == Some(key))
}

/// A part of a string's inside.
enum Piece<'a> {
    /// Text that needs no unescaping.
    Text(&'a str),
    /// A character that was escaped.
    Char(char),
    /// Half of a surrogate pair whose other half is missing.
    Lone(u16),
}

/// Takes the inside of a string apart.
fn unescape<'a>(inner: &'a str, mut take: impl FnMut(Piece<'a>)) {
    let mut rest = inner;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        take(Piece::Text(&rest[..at]));
        let (piece, len) = escape(&rest[at..]);
        take(piece);
        rest = rest.get(at + len..).unwrap_or("");
    }
    take(Piece::Text(rest));
}

/// What the escape at the start of `text` stands for, and its length.
fn escape(text: &str) -> (Piece<'_>, usize) {
    let c = match text.as_bytes().get(1) {
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode_escape(text),
        Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
        _ => return (Piece::Lone(0), text.len()),
    };
    (Piece::Char(c), 2)
}

fn unicode_escape(text: &str) -> (Piece<'_>, usize) {
    let Some(unit) = hex(text) else { return (Piece::Lone(0), text.len()) };
    let pair = text.get(6..).and_then(hex).filter(|_| (0xd800..0xdc00).contains(&unit));
    let both = [unit, pair.unwrap_or(0)];
    match char::decode_utf16(both).next() {
        Some(Ok(c)) => (Piece::Char(c), if c.len_utf16() == 2 { 12 } else { 6 }),
        _ => (Piece::Lone(unit), 6),
    }
}

/// The unit that `\uXXXX` at the start of `text` names.
fn hex(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

/// Writes a string as `JSON.stringify` does.
fn respell(inner: &str, out: &mut String) {
    out.push('"');
    unescape(inner, |piece| match piece {
        Piece::Text(text) => out.push_str(text),
        Piece::Char(c) => push_escaped(c, out),
        Piece::Lone(unit) => push_hex(unit, out),
    });
    out.push('"');
}

fn push_escaped(c: char, out: &mut String) {
    let short = match c {
        '\u{8}' => 'b',
        '\u{c}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '"' | '\\' => c,
        '\0'..=' ' if c < ' ' => return push_hex(c as u16, out),
        _ => return out.push(c),
    };
    out.push('\\');
    out.push(short);
}

fn push_hex(unit: u16, out: &mut String) {
    use core::fmt::Write;
    // Writing to a String cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_last_member_counts_however_its_key_is_spelled() {
        let object = r#" {"a" : 1, "\u0061":[{"a":2}] ,"b":"]}"}"#.trim();
        assert_eq!(member(object, "a"), Some(r#"[{"a":2}]"#));
        assert_eq!(member(object, "b"), Some(r#""]}""#));
        assert_eq!(member(object, "c"), None);
    }

    #[test]
    fn elements_are_those_of_the_outer_array() {
        let values: Vec<_> = elements(r#"[ 1,"a,\"]" ,[2,[3]],{"x":[4]},true ]"#).collect();
        assert_eq!(values, vec!["1", r#""a,\"]""#, "[2,[3]]", r#"{"x":[4]}"#, "true"]);
        assert_eq!(elements("[]").count(), 0);
        assert_eq!(elements(r#""[1]""#).count(), 0);
    }

    #[test]
    fn strings_are_decoded() {
        assert_eq!(string(r#""a\n\u00e9\ud83d\ude00\/""#).as_deref(), Some("a\né😀/"));
        assert_eq!(string(r#""\ud83dx\ude00""#).as_deref(), Some("\u{fffd}x\u{fffd}"));
        assert_eq!(string(r#""\ud83d\ud83d\ude00""#).as_deref(), Some("\u{fffd}😀"));
        assert_eq!(string("1"), None);
        assert_eq!(string("\""), None);
    }

    #[test]
    fn compact_spells_like_stringify() {
        let json = "{ \"a\\/\\u0041\" : [ 1 , -0.5e1, null ] ,\n\"\\u001F\\ud800\\n\": \"\\\" \\u2028\" }";
        assert_eq!(compact(json), "{\"a/A\":[1,-0.5e1,null],\"\\u001f\\ud800\\n\":\"\\\" \u{2028}\"}");
    }

    #[test]
    fn invalid_text_does_no_harm() {
        for text in
            ["", "{", "{\"", "{\"a", "{\"\\", "{\"a\":", "[", "[\"\\u12", "{\"\\ud8é\":1}", "}{][", "{\"a\\"]
        {
            let _ = (member(text, "a"), elements(text).count(), string(text), compact(text));
        }
    }
}
