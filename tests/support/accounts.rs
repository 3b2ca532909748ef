//! Where every byte of a text went under the recover policy.

use std::ops::Range;

use harmony_stream::{Event, Events, Options, Parser, Span, Start};

use super::drive::Input;
use super::{MARKERS, is_space};

/// What text of a header may follow.
const SLOTS: [&str; 3] = ["<|start|>", "<|channel|>", "<|constrain|>"];

/// Words that are structure wherever they lead a header, longest first where one begins another.
const WORDS: [&str; 10] =
    ["assistant", "developer", "system", "user", "tool", "analysis", "commentary", "final", "json", "code"];

/// Checks that each byte is in one event only, and that bytes in none are structure.
pub(crate) fn check<T: Input + ?Sized>(text: &T, options: Options, start: Start) -> Result<(), String> {
    let mut parser = Parser::<T>::new(options.start(start));
    let mut spans = texts(parser.push(text).expect("the first push"));
    spans.extend(texts(parser.finish().expect("the first finish")));
    account(text.as_ref(), &spans, start)
}

/// The same in the middle of a stream: what the parser does not count as held must be out.
pub(crate) fn check_settled(parser: &Parser<str>, spans: &[Span]) -> Result<(), String> {
    let text = parser.transcript();
    account(&text.as_bytes()[..text.len() - parser.held()], spans, Start::Detect)
}

fn account(bytes: &[u8], spans: &[Span], start: Start) -> Result<(), String> {
    let mut owned = vec![false; bytes.len()];
    for span in spans {
        let Some(taken) = owned.get_mut(span.start..span.end) else {
            return Err(format!("{span:?} is held and given out"));
        };
        if taken.contains(&true) {
            return Err(format!("{span:?} is given out twice"));
        }
        taken.fill(true);
    }
    for gap in gaps(&owned) {
        let prompted = gap.start == 0 && start == Start::AssistantHeader;
        // A dropped marker may stand before the gap.
        let slot = prompted || SLOTS.iter().any(|marker| bytes[..gap.start].ends_with(marker.as_bytes()));
        structure(&bytes[gap.clone()], slot, gap.end == bytes.len()).map_err(|lost| {
            let lost = String::from_utf8_lossy(lost).into_owned();
            format!("{lost:?} in {gap:?} is lost")
        })?;
    }
    Ok(())
}

/// The text of all events. A recipient is a header word, so it may be in none.
pub(crate) fn texts<T: Input + ?Sized>(mut events: Events<'_, T>) -> Vec<Span> {
    let mut spans = Vec::new();
    while let Some((event, _)) = events.next_span() {
        spans.extend(text(&event));
    }
    spans
}

/// The text of an event.
pub(crate) fn text(event: &Event<Span>) -> Option<Span> {
    match *event {
        Event::Content { text }
        | Event::Reasoning { text }
        | Event::ToolCallArguments { text, .. }
        | Event::Deviation { dropped: text, .. } => Some(text),
        _ => None,
    }
}

/// The ranges that no event has.
fn gaps(owned: &[bool]) -> Vec<Range<usize>> {
    let mut gaps: Vec<Range<usize>> = Vec::new();
    for at in (0..owned.len()).filter(|&at| !owned[at]) {
        match gaps.last_mut() {
            Some(gap) if gap.end == at => gap.end += 1,
            _ => gaps.push(at..at + 1),
        }
    }
    gaps
}

/// Control tokens, white space and header words; in a header that reaches `<|message|>` any text. `Err` is the rest.
///
/// `slot`: the gap begins in a header.
fn structure(gap: &[u8], mut slot: bool, last: bool) -> Result<(), &[u8]> {
    let mut rest = gap;
    loop {
        let next = next_marker(rest);
        let (text, marker) = next.map_or((rest, None), |(at, marker)| (&rest[..at], Some(marker)));
        let Some(marker) = marker else { return words(text, if last { End::OfText } else { End::OfGap }) };
        rest = &rest[text.len() + marker.len()..];
        match (slot, reaches_message(marker, rest)) {
            (true, true) => {}
            (false, true) => words(text, End::Message)?,
            (_, false) => words(text, End::OfGap)?,
        }
        slot = opens_slot(marker);
    }
}

fn opens_slot(marker: &str) -> bool {
    SLOTS.contains(&marker)
}

/// The header at hand goes on with `marker` and `rest`: does it come to its `<|message|>`?
fn reaches_message(mut marker: &'static str, mut rest: &[u8]) -> bool {
    while opens_slot(marker) {
        let Some((at, next)) = next_marker(rest) else { return false };
        rest = &rest[at + next.len()..];
        marker = next;
    }
    marker == "<|message|>"
}

fn next_marker(text: &[u8]) -> Option<(usize, &'static str)> {
    (0..text.len()).find_map(|at| {
        let marker = MARKERS.into_iter().find(|marker| text[at..].starts_with(marker.as_bytes()))?;
        Some((at, marker))
    })
}

/// What is behind words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// `<|message|>`, so they are a header: anything may be glued to its channel and to its recipient.
    Message,
    /// The end of the text, which may cut a word short.
    OfText,
    OfGap,
}

/// Nothing but header words, `?` and white space.
fn words(mut text: &[u8], end: End) -> Result<(), &[u8]> {
    while !text.is_empty() {
        let length = match word(text).max(space(text)) {
            0 if end == End::OfText && is_cut_word(text) => text.len(),
            0 => return Err(text),
            length if end == End::Message && takes_glue(text) => length + glued(&text[length..]),
            length => length,
        };
        text = &text[length..];
    }
    Ok(())
}

fn takes_glue(text: &[u8]) -> bool {
    ["analysis", "commentary", "final", "to=", "functions."]
        .iter()
        .any(|word| text.starts_with(word.as_bytes()))
}

/// Bytes up to white space.
fn glued(text: &[u8]) -> usize {
    (0..text.len()).find(|&at| space(&text[at..]) > 0 && text[at] != b'?').unwrap_or(text.len())
}

fn word(text: &[u8]) -> usize {
    let name = |prefix: &str| {
        let rest = text.strip_prefix(prefix.as_bytes())?;
        Some(
            prefix.len()
                + rest.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_.-".contains(b)).count(),
        )
    };
    let plain = WORDS.iter().find(|word| text.starts_with(word.as_bytes())).map(|word| word.len());
    plain.or_else(|| name("to=")).or_else(|| name("functions.")).unwrap_or(0)
}

fn is_cut_word(text: &[u8]) -> bool {
    WORDS.iter().chain(&["to=", "functions."]).any(|word| word.as_bytes().starts_with(text))
}

fn space(text: &[u8]) -> usize {
    let Some(chunk) = text.utf8_chunks().next() else { return 0 };
    match chunk.valid().chars().next() {
        Some(c) if c == '?' || is_space(c) => c.len_utf8(),
        _ => 0,
    }
}
