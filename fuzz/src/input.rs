//! How a fuzzer's bytes become options and pieces.
//!
//! The first byte holds the options. In the rest 0xFF, which no UTF-8 text has, ends a piece; with token input 0xFE and
//! a byte are a control token.

use harmony_stream::{Control, Input, Options, Policy, Routing, Start};

use crate::support::drive::Feed;

/// Ends a piece.
pub const CUT: u8 = 0xff;
/// Begins a control token.
pub const TOKEN: u8 = 0xfe;

/// The options that the bits of `byte` stand for: 0 policy, 1 routing, 2 and 3 start, 4 input.
pub fn options(byte: u8) -> Options {
    let start = [Start::Detect, Start::AssistantHeader, Start::AnalysisBody, Start::FinalBody];
    Options::default()
        .policy(policy(byte))
        .routing(if byte & 2 == 0 { Routing::CommentaryFunctions } else { Routing::AnyRecipient })
        .start(start[usize::from(byte >> 2 & 3)])
        .input(if tokens(byte) { Input::Tokens } else { Input::Text })
}

pub(crate) fn policy(byte: u8) -> Policy {
    if byte & 1 == 0 { Policy::Verbatim } else { Policy::Recover }
}

pub(crate) fn start(byte: u8) -> Start {
    [Start::Detect, Start::AssistantHeader, Start::AnalysisBody, Start::FinalBody][usize::from(byte >> 2 & 3)]
}

/// Whether control tokens come out of band.
pub fn tokens(byte: u8) -> bool {
    byte >> 4 & 1 == 1
}

/// The options' byte, and the rest.
pub(crate) fn split(data: &[u8]) -> Option<(u8, &[u8])> {
    data.split_first().map(|(&byte, rest)| (byte, rest))
}

/// The pieces of `rest`.
pub(crate) fn feed(rest: &[u8], tokens: bool) -> Vec<Feed<'_, [u8]>> {
    let mut feed = Vec::new();
    for piece in rest.split(|&b| b == CUT) {
        if !tokens {
            feed.push(Feed::Text(piece));
            continue;
        }
        let mut parts = piece.split(|&b| b == TOKEN);
        feed.extend(parts.next().map(Feed::Text));
        for part in parts {
            let Some((&number, text)) = part.split_first() else { continue };
            feed.push(Feed::Control(Control::ALL[usize::from(number) % 7]));
            feed.push(Feed::Text(text));
        }
    }
    feed
}

/// All text of the pieces in one, between control tokens.
pub(crate) fn whole(feed: &[Feed<'_, [u8]>]) -> Vec<(Vec<u8>, Option<Control>)> {
    let mut whole = vec![(Vec::new(), None)];
    for piece in feed {
        let last = whole.last_mut().expect("it never empties");
        match *piece {
            Feed::Text(text) => last.0.extend_from_slice(text),
            Feed::Control(control) => {
                last.1 = Some(control);
                whole.push((Vec::new(), None));
            }
        }
    }
    whole
}

/// The pieces as `str`: cut at the next character where a cut splits one. `None` if the whole is no UTF-8.
pub(crate) fn text(rest: &[u8]) -> Option<(String, Vec<usize>)> {
    let bytes: Vec<u8> = rest.iter().copied().filter(|&b| b != CUT).collect();
    let text = String::from_utf8(bytes).ok()?;
    let mut points = Vec::new();
    let mut at = 0;
    for piece in rest.split(|&b| b == CUT) {
        at += piece.len();
        points.push(at);
    }
    points.pop();
    Some((text, points))
}
