//! What a parser says, in the pieces that go out: one delta each.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::{Event, Status};

/// The text of one delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Content(String),
    Reasoning(String),
    /// The next piece of a call. Its first one has the name.
    Call {
        index: u32,
        name: Option<String>,
        arguments: String,
    },
}

/// How calls go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// Piece by piece, whatever they turn out to be.
    Pieces,
    /// Complete ones only, and at once; the text of others is reasoning.
    Whole,
}

/// Pieces that wait for their event. Neighbours of one kind are one piece.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    calls: Calls,
    pieces: Vec<Piece>,
    /// The name and the recipient of the call at hand (`Calls::Whole`).
    call: (String, String),
}

impl Pieces {
    pub(crate) fn new(calls: Calls) -> Pieces {
        Pieces { calls, pieces: Vec::new(), call: Default::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    pub(crate) fn take(&mut self) -> Vec<Piece> {
        core::mem::take(&mut self.pieces)
    }

    pub(crate) fn add(&mut self, event: &Event<&str>) {
        match *event {
            Event::Content { text } => self.content(text),
            Event::Reasoning { text } => self.reasoning(text),
            Event::ToolCallStart { index, name, recipient } => self.start(index, name, recipient),
            Event::ToolCallArguments { index, text } => self.arguments(index, text),
            Event::ToolCallEnd { index, arguments, status } => self.end(index, arguments, status),
            _ => {}
        }
    }

    pub(crate) fn content(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Content(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece::Content(text.to_string())),
        }
    }

    fn reasoning(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Reasoning(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Reasoning(text.to_string())),
        }
    }

    fn start(&mut self, index: u32, name: &str, recipient: &str) {
        match self.calls {
            Calls::Pieces => self.call_piece(index, Some(name), ""),
            Calls::Whole => self.call = (name.to_string(), recipient.to_string()),
        }
    }

    fn arguments(&mut self, index: u32, text: &str) {
        match (self.calls, self.pieces.last_mut()) {
            (Calls::Whole, _) => {}
            // A call begins with a piece of its own, so this is the same one.
            (Calls::Pieces, Some(Piece::Call { arguments, .. })) => arguments.push_str(text),
            (Calls::Pieces, _) => self.call_piece(index, None, text),
        }
    }

    fn end(&mut self, index: u32, arguments: &str, status: Status) {
        if self.calls == Calls::Pieces {
            return;
        }
        let (name, recipient) = core::mem::take(&mut self.call);
        if status == Status::Complete {
            self.call_piece(index, Some(&name), arguments);
        } else {
            self.reasoning(&format!("to={recipient} {arguments}"));
        }
    }

    fn call_piece(&mut self, index: u32, name: Option<&str>, arguments: &str) {
        let name = name.map(str::to_string);
        self.pieces.push(Piece::Call { index, name, arguments: arguments.to_string() });
    }
}
