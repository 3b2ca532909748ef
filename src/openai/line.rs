//! The events that wait for a decision, and those that wait behind them: what goes out keeps its order.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::pieces::Piece;

/// What becomes of one choice in an event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Waiting,
    /// It stays as it came.
    Untouched,
    /// Its text gives way to these pieces, and its finish reason to this one.
    Split {
        pieces: Vec<Piece>,
        reason: Option<&'static str>,
    },
}

impl Fate {
    pub(crate) fn is_untouched(&self) -> bool {
        *self == Fate::Untouched
    }
}

/// The place of a choice in an event that waits, and where its text ends in the transcript.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticket {
    pub(crate) event: u64,
    pub(crate) part: usize,
    pub(crate) end: usize,
}

/// An event as it came, and the fates of the choices in it, in their order there.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) raw: Vec<u8>,
    pub(crate) fates: Vec<Fate>,
    /// How many fates are not decided.
    open: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Line {
    events: VecDeque<Waiting>,
    /// Events that have left.
    gone: u64,
    bytes: usize,
}

impl Line {
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// How many bytes of events there are.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds an event, and says how it is called on a ticket.
    pub(crate) fn push(&mut self, raw: Vec<u8>, fates: Vec<Fate>) -> u64 {
        self.bytes += raw.len();
        let open = fates.iter().filter(|fate| **fate == Fate::Waiting).count();
        self.events.push_back(Waiting { raw, fates, open });
        self.gone + (self.events.len() as u64 - 1)
    }

    /// Adds bytes without a choice. They join what waits last if that has none either: a blank line costs a byte.
    pub(crate) fn append(&mut self, raw: &[u8]) {
        match self.events.back_mut() {
            Some(last) if last.fates.is_empty() => {
                self.bytes += raw.len();
                last.raw.extend_from_slice(raw);
            }
            _ => {
                self.push(raw.to_vec(), Vec::new());
            }
        }
    }

    pub(crate) fn decide(&mut self, ticket: Ticket, fate: Fate) {
        let event = (ticket.event - self.gone) as usize;
        let event = &mut self.events[event];
        event.fates[ticket.part] = fate;
        event.open -= 1;
    }

    /// The first event, if all is decided about it.
    pub(crate) fn next(&mut self) -> Option<Waiting> {
        if self.events.front()?.open > 0 {
            return None;
        }
        let event = self.events.pop_front()?;
        self.gone += 1;
        self.bytes -= event.raw.len();
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_without_a_choice_wait_together() {
        let mut line = Line::default();
        let event = line.push(b"a".to_vec(), Vec::from([Fate::Waiting]));
        (0..1000).for_each(|_| line.append(b"\n"));
        assert_eq!((line.events.len(), line.bytes()), (2, 1001));
        assert!(line.next().is_none());
        line.decide(Ticket { event, part: 0, end: 1 }, Fate::Untouched);
        let out: Vec<Vec<u8>> = core::iter::from_fn(|| line.next()).map(|waiting| waiting.raw).collect();
        assert_eq!(out, [&b"a"[..], &b"\n".repeat(1000)]);
        assert_eq!((line.is_empty(), line.bytes()), (true, 0));
    }
}
