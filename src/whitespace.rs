//! White space as ECMAScript has it: what `trim`, *blank* and word boundaries mean everywhere in this crate.
//!
//! U+FEFF is white space, U+0085 is not.

/// The length in bytes of the white space character at the start of `text`; 0 if there is none.
pub(crate) fn space(text: &[u8]) -> usize {
    match *text {
        [b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | b' ', ..] => 1,
        [0xc2, 0xa0, ..] => 2,              // U+00A0
        [0xe1, 0x9a, 0x80, ..] => 3,        // U+1680
        [0xe2, 0x80, 0x80..=0x8a, ..] => 3, // U+2000 to U+200A
        [0xe2, 0x80, 0xa8 | 0xa9, ..] => 3, // U+2028, U+2029
        [0xe2, 0x80, 0xaf, ..] => 3,        // U+202F
        [0xe2, 0x81, 0x9f, ..] => 3,        // U+205F
        [0xe3, 0x80, 0x80, ..] => 3,        // U+3000
        [0xef, 0xbb, 0xbf, ..] => 3,        // U+FEFF
        _ => 0,
    }
}

/// How many bytes of white space `text` begins with.
pub(crate) fn leading(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match space(&text[at..]) {
            0 => return at,
            n => at += n,
        }
    }
}

/// Where the white space at the end of `text` begins; its length if there is none.
pub(crate) fn trimmed_end(text: &[u8]) -> usize {
    let mut end = text.len();
    loop {
        let last = match text[..end] {
            [.., b] if b < 0x80 => 1,
            [.., 0xc2, _] => 2,
            [.., _, _, _] => 3,
            _ => return end,
        };
        if space(&text[end - last..end]) != last {
            return end;
        }
        end -= last;
    }
}

/// Nothing but white space, or nothing.
pub(crate) fn blank(text: &[u8]) -> bool {
    leading(text) == text.len()
}

/// Without white space on both sides.
pub(crate) fn trim(text: &str) -> &str {
    let end = trimmed_end(text.as_bytes());
    let start = leading(&text.as_bytes()[..end]);
    &text[start..end]
}

/// The same set, for a character.
pub(crate) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_characters_agree() {
        for c in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let text = c.encode_utf8(&mut buffer).as_bytes();
            assert_eq!(space(text) == text.len(), is_space(c), "{c:?}");
            assert_eq!(trimmed_end(text) == 0, is_space(c), "{c:?}");
        }
    }

    #[test]
    fn broken_utf8_is_not_white_space() {
        assert_eq!(leading(b" \xe3\x80"), 1);
        assert_eq!(trimmed_end(b"\xe3\x80"), 2);
        assert_eq!(trimmed_end(b"a\x80 "), 2);
    }

    #[test]
    fn trims_both_sides() {
        assert_eq!(trim("\u{feff} a b\u{3000}\n"), "a b");
        assert_eq!(trim("\u{85}"), "\u{85}");
        assert_eq!(trim(" \t"), "");
    }
}
