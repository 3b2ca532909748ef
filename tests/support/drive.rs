//! Runs the parser over chunks, and brings what comes out into forms that can be compared.

use std::fmt;

use harmony_stream::{Collector, Control, Event, Finish, Options, Parsed, Parser, Status, Text};

use super::vectors::{Item, Row};

/// `str` or `[u8]`.
pub(crate) trait Input: Text + AsRef<[u8]> {}
impl Input for str {}
impl Input for [u8] {}

/// A piece of input.
#[derive(Debug)]
pub(crate) enum Feed<'a, T: ?Sized> {
    Text(&'a T),
    Control(Control),
}

// Derived, they would ask for `T: Copy`.
impl<T: ?Sized> Copy for Feed<'_, T> {}
impl<T: ?Sized> Clone for Feed<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

/// An event that owns its text, the same for `str` and bytes.
pub(crate) type Owned = Event<Blob>;

/// Text of an event, shown as text in messages.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Blob(pub(crate) Vec<u8>);

impl Blob {
    fn of<T: Input + ?Sized>(text: &T) -> Blob {
        Blob(text.as_ref().to_vec())
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Blob {
        Blob(text.as_bytes().to_vec())
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(&self.0) {
            Ok(text) => text.fmt(f),
            Err(_) => write!(f, "b\"{}\"", self.0.escape_ascii()),
        }
    }
}

pub(crate) fn text_feed<'a, T: ?Sized>(chunks: &[&'a T]) -> Vec<Feed<'a, T>> {
    chunks.iter().map(|&chunk| Feed::Text(chunk)).collect()
}

/// All events of a stream, and the transcript.
pub(crate) fn run<T: Input + ?Sized>(feed: &[Feed<'_, T>], options: Options) -> (Vec<Owned>, Blob) {
    let mut parser = Parser::<T>::new(options);
    let mut events: Vec<Owned> = Vec::new();
    for piece in feed {
        let new = match *piece {
            Feed::Text(text) => parser.push(text),
            Feed::Control(control) => parser.push_control(control),
        };
        events.extend(new.expect("the push is allowed").map(|event| event.map(Blob::of)));
    }
    events.extend(parser.finish().expect("the first finish").map(|event| event.map(Blob::of)));
    (events, Blob::of(parser.transcript()))
}

pub(crate) fn control(name: &str) -> Control {
    let spelled = |control: &Control| control.literal().trim_matches(['<', '|', '>']) == name;
    Control::ALL.into_iter().find(spelled).expect(name)
}

pub(crate) fn token_feed(items: &[Item]) -> Vec<Feed<'_, str>> {
    items.iter().map(item_feed).collect()
}

/// The same as bytes.
pub(crate) fn as_bytes<'a>(feed: &[Feed<'a, str>]) -> Vec<Feed<'a, [u8]>> {
    feed.iter()
        .map(|piece| match *piece {
            Feed::Text(text) => Feed::Text(text.as_bytes()),
            Feed::Control(control) => Feed::Control(control),
        })
        .collect()
}

/// Each text of a feed in the chunks that `cut` makes of it.
pub(crate) fn cut_texts<'a, T: ?Sized>(
    feed: &[Feed<'a, T>],
    cut: impl Fn(&'a T) -> Vec<&'a T>,
) -> Vec<Feed<'a, T>> {
    feed.iter()
        .flat_map(|piece| match *piece {
            Feed::Text(text) => text_feed(&cut(text)),
            control => vec![control],
        })
        .collect()
}

fn item_feed(item: &Item) -> Feed<'_, str> {
    match item {
        Item::Text(text) => Feed::Text(text),
        Item::Control(name) => Feed::Control(control(name)),
    }
}

/// The result as the vectors have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) failed: bool,
    pub(crate) content: Blob,
    pub(crate) reasoning: Blob,
    /// Name, arguments, status.
    pub(crate) calls: Vec<(Blob, Blob, String)>,
}

fn status_name(status: Status) -> String {
    format!("{status:?}").to_lowercase()
}

impl Outcome {
    /// What a row expects of `transcript`.
    pub(crate) fn of_row(row: &Row, transcript: &[u8]) -> Outcome {
        let content = if row.failed() { Blob(transcript.to_vec()) } else { row.text("content").into() };
        let call = |call: super::vectors::Call| {
            let status = call.status.unwrap_or_else(|| "complete".to_owned());
            (Blob::from(&*call.name), Blob::from(&*call.arguments), status)
        };
        Outcome {
            failed: row.failed(),
            content,
            reasoning: row.text("reasoning").into(),
            calls: row.calls().into_iter().map(call).collect(),
        }
    }

    pub(crate) fn of_parsed<T: Input + ?Sized>(parsed: &Parsed<'_, T>) -> Outcome {
        Outcome {
            failed: parsed.failed(),
            content: Blob::of(&*parsed.content),
            reasoning: Blob::of(&*parsed.reasoning),
            calls: parsed
                .tool_calls
                .iter()
                .map(|call| (Blob::of(&*call.name), Blob::of(&*call.arguments), status_name(call.status)))
                .collect(),
        }
    }

    /// Folds events as the design page says, without the crate's help; [`collected`] has the crate's.
    pub(crate) fn of_events(events: &[Owned]) -> Outcome {
        let mut outcome = Outcome::default();
        for event in events {
            match event {
                Event::Content { text } => outcome.content.0.extend(&text.0),
                Event::Reasoning { text } => outcome.reasoning.0.extend(&text.0),
                Event::ToolCallStart { name, .. } => {
                    outcome.calls.push((name.clone(), Blob::default(), "open".to_owned()));
                }
                Event::ToolCallArguments { index, text } => {
                    outcome.calls[*index as usize].1.0.extend(&text.0);
                }
                Event::ToolCallEnd { index, status, .. } => {
                    outcome.calls[*index as usize].2 = status_name(*status);
                }
                Event::Rollback => outcome = Outcome::default(),
                Event::Finish(finish) => outcome.failed = finish.failure.is_some(),
                _ => {}
            }
        }
        outcome
    }
}

/// The crate's own fold.
pub(crate) fn collected(events: &[Owned]) -> Parsed<'static, [u8]> {
    let mut collector = Collector::<[u8]>::new();
    for event in events {
        // `map` takes the event, and `add` borrows its texts: they have to live somewhere.
        let mut texts = Vec::new();
        let numbered = event.clone().map(|blob| {
            texts.push(blob.0);
            texts.len() - 1
        });
        collector.add(&numbered.map(|number| &texts[number][..]));
    }
    collector.finish()
}

pub(crate) fn finish(events: &[Owned]) -> &Finish {
    match events.last() {
        Some(Event::Finish(finish)) => finish,
        other => panic!("the last event is {other:?}"),
    }
}

/// What may not depend on the chunking: neighbouring pieces are one, and a rollback leaves nothing before it.
pub(crate) fn joined(events: &[Owned]) -> Vec<Owned> {
    let kept = events.iter().rposition(|event| *event == Event::Rollback).map_or(0, |at| at + 1);
    let mut joined: Vec<Owned> = Vec::new();
    for event in &events[kept..] {
        match (joined.last_mut(), event) {
            (Some(Event::Content { text: before }), Event::Content { text })
            | (Some(Event::Reasoning { text: before }), Event::Reasoning { text })
            | (Some(Event::ToolCallArguments { text: before, .. }), Event::ToolCallArguments { text, .. }) => {
                before.0.extend(&text.0);
            }
            _ => joined.push(event.clone()),
        }
    }
    joined
}
