//! The recogniser of JSON objects against serde_json.
//!
//! serde_json differs in two points only when it skips a value: it takes invalid UTF-8 in bytes, which are left out
//! here, and nothing else; numbers and lone surrogates are not looked at. A leading byte order mark is white space to
//! the parser, and so are more characters than to JSON; they are trimmed before both.

use harmony_stream::{Control, Input, Options, Parser, Status, structured};
use serde::de::IgnoredAny;

use crate::support::drive::{Feed, run};

/// As arguments of a call, whole and cut, and through `extract`.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let text = text.trim_matches(is_white_space);
    let object = is_object(text);
    assert_eq!(status(&[text.as_bytes()]) == Status::Complete, object, "{text}");
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
    assert_eq!(status(&bytes) == Status::Complete, object, "{text}");
    assert_eq!(status_of_str(text) == Status::Complete, object, "{text}");
    if object {
        assert_eq!(structured::extract(text), Some(text));
    }
}

/// White space as the parser trims it.
fn is_white_space(c: char) -> bool {
    c == '\u{feff}' || c.is_whitespace() && c != '\u{85}'
}

fn is_object(text: &str) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let whole = <IgnoredAny as serde::Deserialize>::deserialize(&mut deserializer).is_ok()
        && deserializer.end().is_ok();
    whole && text.starts_with('{')
}

fn status(pieces: &[&[u8]]) -> Status {
    let mut feed = head::<[u8]>(b"commentary to=functions.f");
    feed.extend(pieces.iter().map(|&piece| Feed::Text(piece)));
    feed.push(Feed::Control(Control::Call));
    let (events, _) = run(&feed, Options::lenient().input(Input::Tokens));
    events
        .iter()
        .find_map(|event| match event {
            harmony_stream::Event::ToolCallEnd { status, .. } => Some(*status),
            _ => None,
        })
        .expect("the call ends")
}

fn head<T: ?Sized>(header: &T) -> Vec<Feed<'_, T>> {
    vec![Feed::Control(Control::Channel), Feed::Text(header), Feed::Control(Control::Message)]
}

fn status_of_str(text: &str) -> Status {
    let mut parser = Parser::<str>::new(Options::lenient().input(Input::Tokens));
    parser.push_control(Control::Channel).expect("tokens");
    parser.push("commentary to=functions.f").expect("no limit");
    parser.push_control(Control::Message).expect("tokens");
    parser.push(text).expect("no limit");
    let mut events = parser.push_control(Control::Call).expect("tokens");
    events
        .find_map(|event| match event {
            harmony_stream::Event::ToolCallEnd { status, .. } => Some(status),
            _ => None,
        })
        .expect("the call ends")
}
