//! How the things that leak are spelled.

use crate::{Control, control};

/// What every marker begins with; a name follows.
pub(super) const MARKER: &[u8] = b"to=functions.";

/// Words of the header that stand before a marker. No word ends with another, so at most one fits.
pub(super) const CHANNEL_WORDS: [&[u8]; 7] =
    [b"analysis", b"commentary", b"assistant", b"user", b"system", b"developer", b"tool"];

/// Words that the model writes around a leak; a longer one comes before its beginning.
pub(super) const GLITCH_WORDS: [&[u8]; 5] =
    [b"changedFiles", b"RTLU", b"Jsii_commentary", b"Jsii", b"Japgolly"];

pub(super) const CODE: &[u8] = b"code";
pub(super) const CODE_OUTPUT: &[u8] = b"code_output";
pub(super) const CELL: &[u8] = b"Cell";

/// Whether `byte` belongs to a word, ASCII only.
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a marker's name may begin with `byte`.
pub(super) const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// How many bytes of a word `text` begins with.
pub(super) fn word(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_word(byte)).unwrap_or(text.len())
}

/// What stands where a control token may begin.
pub(super) enum Token {
    /// One that is a signal, of this length.
    Signal(usize),
    /// The beginning of one, as far as the text goes.
    Maybe,
    /// Anything else.
    No,
}

/// Looks for a control token at the start of `text`, which begins with `<`. `<|constrain|>` is none that counts: it
/// appears in no transcript of this leak.
pub(super) fn token(text: &[u8]) -> Token {
    match control::spelled(text) {
        control::Spelled::Marker(Control::Constrain) | control::Spelled::No => Token::No,
        control::Spelled::Marker(token) => Token::Signal(token.literal().len()),
        control::Spelled::Maybe => Token::Maybe,
    }
}

/// Whether `window` holds a glitch word that is a word of its own. The window's edges count as word boundaries.
pub(super) fn has_glitch(window: &[u8]) -> bool {
    memchr::memchr3_iter(b'c', b'R', b'J', window).any(|at| {
        (at == 0 || !is_word(window[at - 1])) && GLITCH_WORDS.contains(&&window[at..at + word(&window[at..])])
    })
}

/// Whether a channel word ends where `window` ends. The window's start counts as a word boundary.
pub(super) fn ends_with_channel_word(window: &[u8]) -> bool {
    CHANNEL_WORDS.iter().any(|word| {
        window.strip_suffix(*word).is_some_and(|before| !before.last().is_some_and(|&byte| is_word(byte)))
    })
}

/// Whether `c` belongs to a script that leaks bring along.
pub(super) const fn is_foreign(c: u32) -> bool {
    matches!(
        c,
        0x3400..=0x4dbf // CJK extension A
            | 0x4e00..=0x9fff // CJK
            | 0xf900..=0xfaff // CJK compatibility
            | 0x0400..=0x04ff // Cyrillic
            | 0x0e00..=0x0e7f // Thai
            | 0x10a0..=0x10ff // Georgian
            | 0x0530..=0x058f // Armenian
            | 0x0c80..=0x0cff // Kannada
            | 0x0c00..=0x0c7f // Telugu
            | 0x0900..=0x097f // Devanagari
            | 0x0600..=0x06ff // Arabic
            | 0x0d00..=0x0d7f // Malayalam
    )
}
