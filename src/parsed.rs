//! The folded result: what all events of a stream come to.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::{Event, Finish, Span, Status, Text};

/// A whole stream, split.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound = "T: serde::Serialize"))]
pub struct Parsed<'a, T: Text + ?Sized = str> {
    /// The answer; after a failure the whole transcript.
    pub content: Cow<'a, T>,
    /// The chain of thought.
    pub reasoning: Cow<'a, T>,
    /// The tool calls in their order.
    pub tool_calls: Vec<ToolCall<'a, T>>,
    /// How it ended.
    pub finish: Finish,
}

/// A tool call.
#[derive(Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(bound = "T: serde::Serialize"))]
pub struct ToolCall<'a, T: Text + ?Sized = str> {
    /// The tool's name, without `functions.`.
    pub name: Cow<'a, T>,
    /// The recipient as it was written.
    pub recipient: Cow<'a, T>,
    /// The arguments, without white space around them.
    pub arguments: Cow<'a, T>,
    /// Whether they are complete. Run no other call.
    pub status: Status,
}

// A derived `Clone` would ask for `T: Clone`, and neither `str` nor `[u8]` is that.
impl<T: Text + ?Sized> Clone for Parsed<'_, T> {
    fn clone(&self) -> Self {
        Parsed {
            content: self.content.clone(),
            reasoning: self.reasoning.clone(),
            tool_calls: self.tool_calls.clone(),
            finish: self.finish,
        }
    }
}

impl<T: Text + ?Sized> Clone for ToolCall<'_, T> {
    fn clone(&self) -> Self {
        ToolCall {
            name: self.name.clone(),
            recipient: self.recipient.clone(),
            arguments: self.arguments.clone(),
            status: self.status,
        }
    }
}

impl<T: Text + ?Sized> Clone for Collector<T> {
    fn clone(&self) -> Self {
        Collector { fold: self.fold.clone() }
    }
}

impl<T: Text + ?Sized> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Buffer(self.0.clone())
    }
}

impl<T: Text + ?Sized> Parsed<'_, T> {
    /// Whether the text left the grammar: then [`content`](Self::content) is all of it.
    pub fn failed(&self) -> bool {
        self.finish.failure.is_some()
    }

    /// The same, independent of the text it was parsed from.
    pub fn into_owned(self) -> Parsed<'static, T> {
        let owned = |text: Cow<'_, T>| Cow::Owned(text.into_owned());
        let call = |call: ToolCall<'_, T>| ToolCall {
            name: owned(call.name),
            recipient: owned(call.recipient),
            arguments: owned(call.arguments),
            status: call.status,
        };
        Parsed {
            content: owned(self.content),
            reasoning: owned(self.reasoning),
            tool_calls: self.tool_calls.into_iter().map(call).collect(),
            finish: self.finish,
        }
    }
}

/// Folds events into a [`Parsed`], as they come from a [`Parser`](crate::Parser).
///
/// ```
/// use harmony_stream::{Collector, Options, Parser, parse};
///
/// let text = "<|channel|>final<|message|>Noon.<|return|>";
/// let mut parser = Parser::<str>::new(Options::default());
/// let mut collector = Collector::<str>::new();
/// parser.push(text)?.for_each(|event| collector.add(&event));
/// parser.finish()?.for_each(|event| collector.add(&event));
/// assert_eq!(collector.finish(), parse(text));
/// # Ok::<(), harmony_stream::Error>(())
/// ```
#[derive(Debug)]
pub struct Collector<T: Text + ?Sized = str> {
    fold: Fold<Buffer<T>>,
}

impl<T: Text + ?Sized> Default for Collector<T> {
    fn default() -> Collector<T> {
        Collector { fold: Fold::default() }
    }
}

impl<T: Text + ?Sized> Collector<T> {
    /// An empty one.
    pub fn new() -> Collector<T> {
        Collector::default()
    }

    /// Adds the next event. O(length of its text), amortised.
    pub fn add(&mut self, event: &Event<&T>) {
        self.fold.add(*event);
    }

    /// The result. Before [`Event::Finish`] was added it is what there is so far; open calls are incomplete.
    pub fn finish(self) -> Parsed<'static, T> {
        self.fold.parsed(|buffer| Cow::Owned(buffer.0))
    }
}

/// What pieces of text are joined to.
pub(crate) trait Join<P>: Default {
    fn join(&mut self, piece: P);
}

/// The joined pieces, copied.
#[derive(Debug)]
struct Buffer<T: Text + ?Sized>(T::Owned);

impl<T: Text + ?Sized> Default for Buffer<T> {
    fn default() -> Buffer<T> {
        Buffer(T::Owned::default())
    }
}

impl<T: Text + ?Sized> Join<&T> for Buffer<T> {
    fn join(&mut self, piece: &T) {
        T::append(&mut self.0, piece);
    }
}

/// The joined pieces as spans; neighbours are one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans(SmallVec<[Span; 1]>);

impl Join<Span> for Spans {
    fn join(&mut self, piece: Span) {
        match self.0.last_mut() {
            Some(last) if last.end == piece.start => last.end = piece.end,
            _ => self.0.push(piece),
        }
    }
}

impl Spans {
    /// The text; copied only where it is not one stretch.
    pub(crate) fn text<'a, T: Text + ?Sized>(&self, whole: &'a T) -> Cow<'a, T> {
        match self.0[..] {
            [] => Cow::Borrowed(whole.piece(Span::default())),
            [span] => Cow::Borrowed(whole.piece(span)),
            _ => {
                let mut text = T::Owned::default();
                self.0.iter().for_each(|&span| T::append(&mut text, whole.piece(span)));
                Cow::Owned(text)
            }
        }
    }
}

/// The one place where events become a result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fold<J> {
    content: J,
    reasoning: J,
    calls: Vec<Call<J>>,
    finish: Finish,
}

#[derive(Clone, Debug)]
struct Call<J> {
    name: J,
    recipient: J,
    arguments: J,
    status: Status,
}

impl<J: Default> Fold<J> {
    pub(crate) fn add<P>(&mut self, event: Event<P>)
    where
        J: Join<P>,
    {
        match event {
            Event::Content { text } => self.content.join(text),
            Event::Reasoning { text } => self.reasoning.join(text),
            Event::ToolCallStart { name, recipient, .. } => self.calls.push(Call {
                name: joined(name),
                recipient: joined(recipient),
                arguments: J::default(),
                status: Status::Incomplete,
            }),
            Event::ToolCallArguments { text, .. } => {
                if let Some(call) = self.calls.last_mut() {
                    call.arguments.join(text);
                }
            }
            Event::ToolCallEnd { status, .. } => {
                if let Some(call) = self.calls.last_mut() {
                    call.status = status;
                }
            }
            Event::Rollback => *self = Fold::default(),
            Event::Finish(finish) => self.finish = finish,
            Event::MessageStart { .. } | Event::MessageEnd { .. } | Event::Deviation { .. } => {}
        }
    }

    pub(crate) fn parsed<'a, T: Text + ?Sized>(self, text: impl Fn(J) -> Cow<'a, T>) -> Parsed<'a, T> {
        let call = |call: Call<J>| ToolCall {
            name: text(call.name),
            recipient: text(call.recipient),
            arguments: text(call.arguments),
            status: call.status,
        };
        Parsed {
            tool_calls: self.calls.into_iter().map(call).collect(),
            content: text(self.content),
            reasoning: text(self.reasoning),
            finish: self.finish,
        }
    }
}

fn joined<P, J: Join<P>>(piece: P) -> J {
    let mut joined = J::default();
    joined.join(piece);
    joined
}
