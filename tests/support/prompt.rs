//! What may be held of a text, and whether a parser holds anything besides.

use harmony_stream::{Event, Events, Options, Parser, Span};

use super::drive::Feed;
use super::table::{Token, tokens, waiting};
use super::{MARKERS, accounts};

/// How many bytes at the end of `text` may become a marker.
pub(crate) fn possible_marker(text: &str) -> usize {
    let may_become = |length: &usize| {
        text.get(text.len() - length..).is_some_and(|tail| {
            MARKERS.iter().any(|marker| marker.len() > tail.len() && marker.starts_with(tail))
        })
    };
    (1..=12.min(text.len())).rev().find(may_become).unwrap_or(0)
}

/// Which of the messages that have begun are calls.
#[derive(Default)]
struct Calls(Vec<bool>);

impl Calls {
    fn take(&mut self, mut events: Events<'_, str>) -> Vec<Span> {
        let mut spans = Vec::new();
        while let Some((event, _)) = events.next_span() {
            match event {
                Event::MessageStart { .. } => self.0.push(false),
                Event::ToolCallStart { .. } => *self.0.last_mut().expect("a message began") = true,
                event => spans.extend(accounts::text(&event)),
            }
        }
        spans
    }
}

/// How much may be held of a text that has not failed.
fn allowance(text: &str, calls: &Calls) -> usize {
    let marker = possible_marker(text);
    marker + waiting(&tokens(&text[..text.len() - marker]), false, &calls.0)
}

/// Pushes a text a character at a time under the verbatim policy: what may wait is held, and all else is out.
pub(crate) fn check(text: &str, options: Options) -> Result<(), String> {
    let mut parser = Parser::<str>::new(options);
    let mut calls = Calls::default();
    let mut spans = Vec::new();
    for (at, c) in text.char_indices() {
        let seen = &text[..at + c.len_utf8()];
        spans.extend(calls.take(parser.push(&seen[at..]).expect("it is open")));
        let failed = parser.summary().failure.is_some();
        let allowed = if failed { 0 } else { allowance(seen, &calls) };
        if parser.held() != allowed {
            return Err(format!("{} held, not {allowed}, after {seen:?}", parser.held()));
        }
        if !failed {
            accounts::check_settled(&parser, &spans).map_err(|lost| format!("{lost} after {seen:?}"))?;
        }
    }
    Ok(())
}

/// The same where control tokens come out of band.
pub(crate) fn check_tokens(feed: &[Feed<'_, str>], options: Options) -> Result<(), String> {
    let mut parser = Parser::<str>::new(options);
    let mut calls = Calls::default();
    let mut seen: Vec<Token<'_>> = Vec::new();
    for piece in feed {
        let (events, token) = match *piece {
            Feed::Text("") => continue,
            Feed::Text(text) => (parser.push(text), Token::Text(text)),
            Feed::Control(control) => (parser.push_control(control), Token::Control(control.literal())),
        };
        calls.take(events.expect("it is open"));
        seen.push(token);
        let failed = parser.summary().failure.is_some();
        let allowed = if failed { 0 } else { waiting(&seen, true, &calls.0) };
        if parser.held() != allowed {
            return Err(format!("{} held, not {allowed}, after {seen:?}", parser.held()));
        }
    }
    Ok(())
}
