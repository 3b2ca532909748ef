//! The audit event: enough to count and compare leaks, without the text.

use alloc::string::String;

use sha2::{Digest, Sha512_256};

use super::marker::{CHANNEL_WORDS, GLITCH_WORDS, MARKER, begins_name, is_foreign, word};
use super::signal::{Detection, Surface};
use crate::whitespace::is_space;

/// How many UTF-16 units a preview shows.
const PREVIEW: usize = 64;

/// Stands for a unit that is not shown.
const HIDDEN: char = '·';

/// What the host did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Action {
    /// It ran the clean part of a tool call and asked for the rest.
    TruncateResume,
    /// It threw the message away and asked again.
    AbortRetry,
    /// It gave up and told the user.
    Escalated,
}

impl Action {
    /// `"truncate_resume"`, `"abort_retry"` or `"escalated"`.
    pub const fn name(self) -> &'static str {
        match self {
            Action::TruncateResume => "truncate_resume",
            Action::AbortRetry => "abort_retry",
            Action::Escalated => "escalated",
        }
    }
}

/// One leak and what was done about it, fit for logs and metrics: the text itself is not in it, unless asked for.
///
/// ```
/// use harmony_stream::leak::{detect, removed, Action, AuditEvent, DetectOptions, Surface};
/// let text = "ok. user to=functions.edit {\"key\": \"s3cret\"}";
/// let detection = detect(text, Surface::Text, &DetectOptions::new()).unwrap();
/// let event = AuditEvent::new(Action::AbortRetry, &detection, removed(text, &detection))
///     .retry(1)
///     .model("gpt-5.5", "openai-codex");
/// assert_eq!(event.signal, "M+C");
/// assert_eq!(event.removed_preview, "to=functions.edit ······· ·········");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AuditEvent {
    /// What was done.
    pub action: Action,
    /// Where the leak was.
    pub surface: Surface,
    /// The [`label`](super::label) of the detection.
    pub signal: String,
    /// Which retry this is.
    pub retry_n: u32,
    /// The model.
    pub model: String,
    /// Its provider.
    pub provider: String,
    /// The tool whose arguments the leak was in.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub tool_name: Option<String>,
    /// The removed text's length in UTF-16 units.
    pub removed_len: usize,
    /// Its length in bytes.
    pub removed_bytes: usize,
    /// The first 8 hex digits of its SHA-512/256.
    pub removed_sha8: String,
    /// Its [`preview`].
    pub removed_preview: String,
    /// The removed text itself, if [`with_removed`](AuditEvent::with_removed) put it there.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub removed_blob: Option<String>,
}

impl AuditEvent {
    /// The event for a detection and the text that was removed because of it.
    pub fn new(action: Action, detection: &Detection, removed: &str) -> AuditEvent {
        AuditEvent {
            action,
            surface: detection.surface,
            signal: detection.label(),
            retry_n: 0,
            model: String::new(),
            provider: String::new(),
            tool_name: detection.tool_name.clone(),
            removed_len: utf16_len(removed),
            removed_bytes: removed.len(),
            removed_sha8: sha8(removed),
            removed_preview: preview(removed),
            removed_blob: None,
        }
    }

    /// Sets which retry this is.
    #[must_use]
    pub fn retry(mut self, n: u32) -> AuditEvent {
        self.retry_n = n;
        self
    }

    /// Sets the model and its provider.
    #[must_use]
    pub fn model(mut self, model: impl Into<String>, provider: impl Into<String>) -> AuditEvent {
        self.model = model.into();
        self.provider = provider.into();
        self
    }

    /// Puts the removed text in: it may hold whatever the user's files hold.
    #[must_use]
    pub fn with_removed(mut self, removed: impl Into<String>) -> AuditEvent {
        self.removed_blob = Some(removed.into());
        self
    }
}

/// Whether answers of this provider should be checked, whatever the model: today `openai-codex`. All else is the
/// host's decision.
///
/// ```
/// assert!(harmony_stream::leak::is_mitigation_target("openai-codex"));
/// assert!(!harmony_stream::leak::is_mitigation_target("openai"));
/// ```
pub fn is_mitigation_target(provider: &str) -> bool {
    provider == "openai-codex"
}

/// The length of `text` in UTF-16 units.
///
/// ```
/// assert_eq!(harmony_stream::leak::utf16_len("é😀"), 3);
/// ```
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The first 8 hex digits of SHA-512/256 over the text's bytes.
///
/// ```
/// assert_eq!(harmony_stream::leak::sha8(""), "c672b8d1");
/// ```
pub fn sha8(text: &str) -> String {
    let digest = Sha512_256::digest(text.as_bytes());
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    digest[..4].iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The first 64 UTF-16 units of a removed text, with everything hidden that may belong to the user.
///
/// Shown are markers, channel words, glitch words, characters of the scripts that leaks bring along, white space and
/// `】【”“…」「、。`; every other unit becomes `·`.
///
/// ```
/// use harmony_stream::leak::preview;
/// assert_eq!(preview("analysis to=functions.edit 大 key=1"), "analysis to=functions.edit 大 ·····");
/// ```
pub fn preview(removed: &str) -> String {
    let (shown, split) = split_at_unit(removed, PREVIEW);
    let mut out = String::with_capacity(shown.len());
    let mut rest = shown;
    while let Some(c) = rest.chars().next() {
        let len = match open_len(rest.as_bytes()) {
            0 => mask(c, &mut out),
            len => {
                out.push_str(&rest[..len]);
                len
            }
        };
        rest = &rest[len..];
    }
    // Half a surrogate pair is a unit too.
    out.extend(split.then_some(HIDDEN));
    out
}

/// The text before the unit, and whether that unit splits a character.
fn split_at_unit(text: &str, unit: usize) -> (&str, bool) {
    let mut left = unit;
    for (at, c) in text.char_indices() {
        if c.len_utf16() > left {
            return (&text[..at], left > 0);
        }
        left -= c.len_utf16();
    }
    (text, false)
}

/// The length of the marker or the word at the start of `text`; 0 if there is none.
fn open_len(text: &[u8]) -> usize {
    let name = text.strip_prefix(MARKER).unwrap_or(&[]);
    if name.first().is_some_and(|&byte| begins_name(byte)) {
        return MARKER.len() + word(name);
    }
    let words = || CHANNEL_WORDS.iter().chain(&GLITCH_WORDS);
    words().find(|word| text.starts_with(word)).map_or(0, |word| word.len())
}

/// Writes one character that stands alone; its length.
fn mask(c: char, out: &mut String) -> usize {
    if is_foreign(u32::from(c)) || is_space(c) || "】【”“…」「、。".contains(c) {
        out.push(c);
    } else {
        out.extend(core::iter::repeat_n(HIDDEN, c.len_utf16()));
    }
    c.len_utf8()
}
