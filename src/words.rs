//! Header words: what stands in a header besides its control tokens, and what a header that lost some of them is
//! known by. Roles, channel words, recipients (`to=...`, `functions.NAME`) and the format words `json` and `code`.

use crate::categories::is_letter_or_digit;
use crate::whitespace::space;
use crate::{Channel, Span};

const ROLES: [&str; 5] = ["assistant", "user", "system", "developer", "tool"];
const FORMATS: [&str; 2] = ["json", "code"];
const CHANNELS: [(&str, Channel); 3] =
    [("commentary", Channel::Commentary), ("analysis", Channel::Analysis), ("final", Channel::Final)];

/// The channel that this word is, letter by letter.
pub(crate) fn channel(word: &[u8]) -> Option<Channel> {
    CHANNELS.iter().find(|(name, _)| name.as_bytes() == word).map(|&(_, channel)| channel)
}

/// Whether more letters may make it a channel's name, or it is one.
pub(crate) fn may_become_channel(word: &[u8]) -> bool {
    CHANNELS.iter().any(|(name, _)| name.as_bytes().starts_with(word))
}

/// The channel word that the text begins with, and its length without what is glued to it.
fn channel_word(text: &[u8]) -> Option<(Channel, usize)> {
    CHANNELS.iter().find(|(name, _)| text.starts_with(name.as_bytes())).map(|&(name, c)| (c, name.len()))
}

/// The length of the NAME that `text` begins with: `[A-Za-z_][A-Za-z0-9_.-]*`; 0 if it is none.
pub(crate) fn name(text: &[u8]) -> usize {
    match text.first() {
        Some(b'A'..=b'Z' | b'a'..=b'z' | b'_') => text
            .iter()
            .position(|b| !matches!(b, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'-'))
            .unwrap_or(text.len()),
        _ => 0,
    }
}

/// The length of a bare `functions.NAME` at the start of `text`; 0 if there is none.
pub(crate) fn function(text: &[u8]) -> usize {
    match text.strip_prefix(b"functions.") {
        Some(rest) if begins_function(text) => "functions.".len() + name(rest),
        _ => 0,
    }
}

/// Whether `text` begins with a bare `functions.NAME`, however long.
fn begins_function(text: &[u8]) -> bool {
    text.strip_prefix(b"functions.").is_some_and(|rest| name(&rest[..rest.len().min(1)]) > 0)
}

/// The length of the word at the start of `text`, up to white space.
pub(crate) fn word_length(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && space(&text[at..]) == 0 {
        at += 1;
    }
    at
}

/// A header word where `<|message|>` or another marker follows: whatever is glued to it does not matter.
fn is_loose(word: &[u8]) -> bool {
    ROLES.iter().chain(&FORMATS).any(|name| name.as_bytes() == word)
        || channel_word(word).is_some()
        || word.starts_with(b"to=")
        || begins_function(word)
}

/// Whether a word that goes on may turn out to be a loose header word.
fn may_become_loose(word: &[u8]) -> bool {
    let fixed = ROLES.iter().chain(&FORMATS).chain(CHANNELS.iter().map(|(name, _)| name));
    fixed.chain(&["to=", "functions."]).any(|name| name.as_bytes().starts_with(word)) || is_loose(word)
}

/// The channel that the loose header words at the start of `text` name.
pub(crate) fn leading_channel(text: &[u8]) -> Option<Channel> {
    let mut at = 0;
    loop {
        at += crate::whitespace::leading(&text[at..]);
        let word = &text[at..at + word_length(&text[at..])];
        match channel_word(word) {
            Some((channel, _)) => return Some(channel),
            None if is_loose(word) => at += word.len(),
            None => return None,
        }
    }
}

/// Follows text while it can be nothing but loose header words. Each byte is read once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    word: usize,
    scanned: usize,
    any: bool,
}

impl Words {
    /// Begins with the text at this offset.
    pub(crate) fn restart(&mut self, at: usize) {
        *self = Words { word: at, scanned: at, any: false };
    }

    /// Reads on up to `to`; false if some word cannot be a header word.
    pub(crate) fn extend(&mut self, text: &[u8], to: usize) -> bool {
        while self.scanned < to {
            let n = space(&text[self.scanned..to]);
            if n == 0 {
                self.any = true;
                self.scanned += 1;
                continue;
            }
            if !self.last_is_complete(text) {
                return false;
            }
            self.scanned += n;
            self.word = self.scanned;
        }
        may_become_loose(&text[self.word..to])
    }

    /// Whether the last word, which ends here, is a header word (or there is none).
    pub(crate) fn last_is_complete(&self, text: &[u8]) -> bool {
        self.word == self.scanned || is_loose(&text[self.word..self.scanned])
    }

    /// Whether there was a word.
    pub(crate) fn any(&self) -> bool {
        self.any
    }
}

/// A header word in a header without `<|message|>`, where glue matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strict {
    Role,
    Format,
    Channel(Channel),
    /// `to=X`: the span of X.
    To(Span),
    /// A bare `functions.NAME`.
    Function(Span),
}

/// The header word that begins at `at`, and the offset behind it. What is glued there begins the text, except that
/// a lower-case letter makes a channel word, and any letter or digit a role or format, an ordinary word.
pub(crate) fn strict(text: &[u8], at: usize, end: usize) -> Option<(Strict, usize)> {
    let rest = &text[at..end];
    if let Some(rest) = rest.strip_prefix(b"to=") {
        let span = Span::new(at + 3, at + 3 + name(rest));
        return (!span.is_empty()).then_some((Strict::To(span), span.end));
    }
    if function(rest) > 0 {
        let span = Span::new(at, at + function(rest));
        return Some((Strict::Function(span), span.end));
    }
    if let Some((channel, n)) = channel_word(rest) {
        let ordinary = first_char(&rest[n..]).is_some_and(char::is_lowercase);
        return (!ordinary).then_some((Strict::Channel(channel), at + n));
    }
    let whole = |names: &[&str]| {
        let name = names.iter().find(|name| rest.starts_with(name.as_bytes()))?;
        let ordinary = first_char(&rest[name.len()..]).is_some_and(is_letter_or_digit);
        (!ordinary).then_some(at + name.len())
    };
    if let Some(end) = whole(&ROLES) {
        return Some((Strict::Role, end));
    }
    whole(&FORMATS).map(|end| (Strict::Format, end))
}

/// The end of one or more channel words that begin at `at`, glued to each other; a lower-case letter behind the last
/// makes them an ordinary word.
pub(crate) fn glued_channels(text: &[u8], mut at: usize, end: usize) -> Option<usize> {
    while let Some((_, n)) = channel_word(&text[at..end]) {
        at += n;
        if !first_char(&text[at..end]).is_some_and(char::is_lowercase) {
            return Some(at);
        }
    }
    None
}

/// Whether `text[at..end]` is header words and white space only, with nothing glued to a word.
pub(crate) fn only_strict(text: &[u8], mut at: usize, end: usize) -> bool {
    loop {
        at += crate::whitespace::leading(&text[at..end]);
        if at == end {
            return true;
        }
        match strict(text, at, end) {
            Some((_, behind)) if behind == end || space(&text[behind..end]) > 0 => at = behind,
            _ => return false,
        }
    }
}

/// Whether a word that the end of the stream cut may have become a header word: a recipient, or one of the kinds that
/// may still lead there.
pub(crate) fn cut_short(word: &[u8], roles: bool, formats: bool, channels: bool) -> bool {
    let may_be = |names: &[&str]| names.iter().any(|name| name.as_bytes().starts_with(word));
    !word.is_empty()
        && (may_be(&["to=", "functions."])
            || roles && may_be(&ROLES)
            || formats && may_be(&FORMATS)
            || channels && may_become_channel(word))
}

/// The first character, if `text` does not begin with a broken UTF-8 sequence.
pub(crate) fn first_char(text: &[u8]) -> Option<char> {
    let head = &text[..text.len().min(4)];
    match core::str::from_utf8(head) {
        Ok(valid) => valid.chars().next(),
        Err(error) => core::str::from_utf8(&head[..error.valid_up_to()]).ok()?.chars().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn possible(text: &str) -> bool {
        let mut words = Words::default();
        let possible = words.extend(text.as_bytes(), text.len());
        // Byte by byte it is the same.
        let mut slow = Words::default();
        let all = (1..=text.len()).all(|to| slow.extend(text.as_bytes(), to));
        assert_eq!(possible, all, "{text}");
        possible
    }

    #[test]
    fn header_words_are_followed_while_they_may_be() {
        for text in [
            "",
            "  ",
            "ass",
            "assistant ",
            "assistant comm",
            "final? json",
            "finalx y"[..6].trim(),
            "to=",
            "to=a.b/c code",
        ] {
            assert!(possible(text), "{text}");
        }
        for text in ["x", "assist ", "assistants", "jsonx", "to ", "functions.9", "functions. ", "final y"] {
            assert!(!possible(text), "{text}");
        }
    }

    #[test]
    fn glue_decides_without_a_message() {
        let strict = |text: &str| strict(text.as_bytes(), 0, text.len()).map(|(_, end)| end);
        assert_eq!(strict("finally"), None);
        assert_eq!(strict("finalThe"), Some(5));
        assert_eq!(strict("final__X"), Some(5));
        assert_eq!(strict("finalé"), None);
        assert_eq!(strict("json{"), Some(4));
        assert_eq!(strict("json2"), None);
        assert_eq!(strict("assistantHello"), None);
        assert_eq!(strict("to=functions.a{"), Some(14));
        assert_eq!(strict("to={"), None);
        assert_eq!(strict("functions.a"), Some(11));
    }

    #[test]
    fn only_whole_words() {
        let only = |text: &str| only_strict(text.as_bytes(), 0, text.len());
        assert!(only("") && only(" assistant to=x\u{3000}json "));
        assert!(!only("final?") && !only("assis") && !only("final x"));
    }

    #[test]
    fn broken_utf8_has_no_first_character() {
        assert_eq!(first_char(b"\xff"), None);
        assert_eq!(first_char(b"a\xff"), Some('a'));
        assert_eq!(first_char("é".as_bytes()), Some('é'));
    }
}
