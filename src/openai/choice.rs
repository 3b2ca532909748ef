//! One choice of a response: its parser, and what that says about the events its text came in.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::finish::finish_reason;
use super::line::{Fate, Ticket};
use super::pieces::{Calls, Piece, Pieces};
use super::{Settings, Summary};
use crate::{DeviationKind, Error, Event, Parser};

/// What is known of the text so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// No harmony yet: all that was emitted is the text itself.
    Plain,
    /// Harmony, but it may still fail (`Policy::Verbatim`).
    Unsure,
    /// Harmony for good.
    Split,
    /// Nothing more is read, and what was not decided stays as it came.
    Unread,
}

#[derive(Debug)]
pub(crate) struct Choice {
    parser: Parser<str>,
    recovers: bool,
    phase: Phase,
    ended: bool,
    /// While `Plain`: the text up to here was emitted as content.
    plain: usize,
    /// While `Plain`: the events with the text up to here are decided; they stay as they are.
    released: usize,
    pieces: Pieces,
    /// The events that wait for this choice, in order.
    waiting: VecDeque<Ticket>,
    found: Summary,
}

impl Choice {
    pub(crate) fn new(settings: &Settings, calls: Calls) -> Choice {
        Choice {
            parser: Parser::new(settings.parser_options()),
            recovers: settings.recovers(),
            phase: Phase::Plain,
            ended: false,
            plain: 0,
            released: 0,
            pieces: Pieces::new(calls),
            waiting: VecDeque::new(),
            found: Summary::default(),
        }
    }

    /// Whether text for it is to be left alone.
    pub(crate) fn is_over(&self) -> bool {
        self.ended || self.phase == Phase::Unread
    }

    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// What was found so far.
    pub(crate) fn summary(&self) -> Summary {
        let mut found = self.found;
        found.split = u64::from(self.phase == Phase::Split);
        found
    }

    /// Reads on. An error is the limit of the transcript, and changes nothing.
    pub(crate) fn push(&mut self, text: &str) -> Result<(), Error> {
        self.parser.push(text)?;
        self.listen();
        Ok(())
    }

    /// The text of this choice is complete.
    pub(crate) fn end(&mut self) {
        if self.is_over() {
            return;
        }
        self.ended = true;
        if self.parser.finish().is_ok() {
            self.listen();
        }
        match self.phase {
            Phase::Plain => self.leave_alone(),
            Phase::Unsure => self.phase = Phase::Split,
            Phase::Split | Phase::Unread => {}
        }
        self.forget_text();
    }

    /// Nothing more is to be read. What is split already stays so, with the text that the parser holds.
    pub(crate) fn give_up(&mut self) {
        if self.phase == Phase::Split {
            self.end();
        } else {
            self.leave_alone();
            self.forget_text();
        }
    }

    /// It stays as it came, so nothing was repaired and no call found.
    fn leave_alone(&mut self) {
        self.phase = Phase::Unread;
        self.pieces.take();
        self.found = Summary { bytes: self.found.bytes, ..Summary::default() };
    }

    /// Frees the transcript.
    fn forget_text(&mut self) {
        self.parser = Parser::new(crate::Options::default());
    }

    /// Takes what the parser has to say.
    fn listen(&mut self) {
        while let Some((event, _)) = self.parser.events().next_span() {
            self.found.count(&event);
            match event {
                Event::Content { text } if self.phase == Phase::Plain && text.start == self.plain => {
                    self.plain = text.end;
                }
                Event::Deviation { dropped, .. } if dropped.is_empty() => {}
                Event::Finish(_) | Event::Rollback => {}
                event => {
                    self.leave_plain();
                    let text = self.parser.transcript();
                    self.pieces.add(&event.map(|span| &text[span.start..span.end]));
                }
            }
        }
        self.found.bytes = self.parser.summary().bytes;
        if let Some(failure) = self.parser.summary().failure {
            self.leave_alone();
            self.found.failed = u64::from(failure.kind != DeviationKind::NoMessage);
        } else if self.length() - self.parser.held() > self.plain {
            // Structure was read, and nothing said of it yet.
            self.leave_plain();
        }
    }

    fn length(&self) -> usize {
        self.parser.transcript().len()
    }

    fn leave_plain(&mut self) {
        if self.phase == Phase::Plain {
            self.phase = if self.recovers { Phase::Split } else { Phase::Unsure };
            self.pieces.content(&self.parser.transcript()[self.released..self.plain]);
        }
    }

    /// What becomes of the event at hand, which brought `text` and the upstream's finish reason.
    pub(crate) fn fate(&mut self, text: &str, reason: Option<&str>) -> Fate {
        match self.phase {
            Phase::Unread => Fate::Untouched,
            Phase::Split => {
                let pieces = self.pieces.take();
                let reason = reason.and_then(|upstream| finish_reason(upstream, &self.found));
                if reason.is_none() && says(&pieces, text) {
                    Fate::Untouched
                } else {
                    Fate::Split { pieces, reason }
                }
            }
            Phase::Plain | Phase::Unsure if text.is_empty() => Fate::Untouched,
            Phase::Plain if self.plain == self.length() => {
                self.released = self.plain;
                Fate::Untouched
            }
            Phase::Plain | Phase::Unsure => Fate::Waiting,
        }
    }

    /// What becomes of an event for a choice that is over: its text stays, but calls that have gone out are to be run.
    /// A reason other than `stop` is that of calls which the upstream has split itself.
    pub(crate) fn afterwards(&self, text: &str, reason: Option<&str>) -> Fate {
        let stop = reason.filter(|&reason| reason == "stop" && self.phase == Phase::Split);
        let reason = stop.and_then(|stop| finish_reason(stop, &self.found));
        if reason.is_none() {
            return Fate::Untouched;
        }
        let mut pieces = Vec::new();
        if !text.is_empty() {
            pieces.push(Piece::Content(text.into()));
        }
        Fate::Split { pieces, reason }
    }

    /// The event at hand waits at this place.
    pub(crate) fn wait(&mut self, event: u64, part: usize) {
        let end = self.length();
        self.waiting.push_back(Ticket { event, part, end });
    }

    /// The next event that waits no longer, and its fate. Its text goes out with the event at hand.
    pub(crate) fn decided(&mut self) -> Option<(Ticket, Fate)> {
        let ticket = *self.waiting.front()?;
        let fate = match self.phase {
            Phase::Plain if ticket.end <= self.plain => {
                self.released = ticket.end;
                Fate::Untouched
            }
            Phase::Plain | Phase::Unsure => return None,
            Phase::Split => Fate::Split { pieces: Vec::new(), reason: None },
            Phase::Unread => Fate::Untouched,
        };
        self.waiting.pop_front();
        Some((ticket, fate))
    }

    pub(crate) fn has_pieces(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// What is left to say when no event is at hand.
    pub(crate) fn take_pieces(&mut self) -> Vec<Piece> {
        self.pieces.take()
    }
}

/// Whether the pieces are just this text, as content.
fn says(pieces: &[Piece], text: &str) -> bool {
    match pieces {
        [] => text.is_empty(),
        [Piece::Content(content)] => content == text,
        _ => false,
    }
}
