//! The table of the verbatim grammar, walked token by token over a text that has not failed: how much of it may wait.

use super::{first_marker, is_space};

/// Control tokens as their literals; no two texts meet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'a> {
    Control(&'a str),
    Text(&'a str),
}

#[derive(Clone, Copy)]
enum State {
    Lead,
    /// Behind text that no header precedes.
    Plain,
    Header,
    Body,
    Ended,
    Split,
    Quoted,
    Call,
    Between,
}

const TERMINATORS: [&str; 3] = ["<|end|>", "<|return|>", "<|call|>"];

/// `out_of_band`: control tokens are known to be such, so that none in a body waits. `calls` says of each message that
/// began whether it is a call.
pub(crate) fn waiting(tokens: &[Token<'_>], out_of_band: bool, calls: &[bool]) -> usize {
    let mut walk =
        Walk { state: State::Lead, waiting: 0, arguments: String::new(), calls: calls.iter(), out_of_band };
    for &token in tokens {
        walk.step(token);
    }
    walk.waiting
}

struct Walk<'a> {
    state: State,
    waiting: usize,
    arguments: String,
    calls: std::slice::Iter<'a, bool>,
    out_of_band: bool,
}

impl Walk<'_> {
    fn step(&mut self, token: Token<'_>) {
        let more = self.waiting + length(token);
        (self.state, self.waiting) = match (self.state, token) {
            (State::Lead, Token::Text(text)) if is_blank(text) => (State::Lead, more),
            (State::Lead | State::Plain, Token::Text(_)) => (State::Plain, 0),
            (State::Between, Token::Text(_)) => (State::Between, 0),
            (State::Lead | State::Plain | State::Between | State::Ended, Token::Control(_)) => {
                (State::Header, length(token))
            }
            (State::Header | State::Split, Token::Control("<|message|>")) => self.message(),
            (State::Header, _) | (State::Split, Token::Control("<|channel|>")) => (State::Header, more),
            (State::Body | State::Split, Token::Control(control)) => self.in_body(control),
            (State::Ended, Token::Text(text)) if is_blank(text) => (State::Ended, more),
            (State::Quoted, Token::Text(text)) if is_blank(text) => (State::Quoted, more),
            (State::Split, Token::Text(_)) => (State::Split, more),
            (State::Call, _) => self.call(token),
            (State::Body | State::Ended | State::Quoted, _) => (State::Body, 0),
        };
    }

    fn message(&mut self) -> (State, usize) {
        self.arguments.clear();
        let call = *self.calls.next().expect("a message began");
        (if call { State::Call } else { State::Body }, 0)
    }

    /// Only the token at hand waits: a split before it is absorbed.
    fn in_body(&self, control: &str) -> (State, usize) {
        match control {
            _ if TERMINATORS.contains(&control) && self.out_of_band => (State::Between, 0),
            "<|start|>" if self.out_of_band => (State::Header, control.len()),
            _ if TERMINATORS.contains(&control) => (State::Ended, control.len()),
            "<|start|>" => (State::Split, control.len()),
            _ => (State::Quoted, control.len()),
        }
    }

    /// White space waits behind a complete object, and nothing else does.
    fn call(&mut self, token: Token<'_>) -> (State, usize) {
        let (Token::Control(piece) | Token::Text(piece)) = token;
        if piece == "<|call|>" && is_object(&self.arguments) {
            return (State::Between, 0);
        }
        self.arguments += piece;
        let behind = self.arguments.len() - self.arguments.trim_end_matches(is_space).len();
        (State::Call, if is_object(&self.arguments) { behind } else { 0 })
    }
}

fn length(token: Token<'_>) -> usize {
    let (Token::Control(text) | Token::Text(text)) = token;
    text.len()
}

fn is_object(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    text.starts_with('{') && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The tokens of a text in which any marker may be one.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some((at, marker)) = first_marker(rest) {
        tokens.extend((at > 0).then(|| Token::Text(&rest[..at])));
        tokens.push(Token::Control(marker));
        rest = &rest[at + marker.len()..];
    }
    tokens.extend((!rest.is_empty()).then_some(Token::Text(rest)));
    tokens
}
