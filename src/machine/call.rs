//! In arguments that may still become one JSON object: everything belongs to them that keeps them so, control tokens
//! inside strings too.

use super::{Machine, Step, message_end};
use crate::DeviationKind::{IncompleteArguments, RepeatedMessage, WrongTerminator};
use crate::header::Slot;
use crate::json::Progress;
use crate::mark::Mark;
use crate::whitespace::{leading, trimmed_end};
use crate::{Control, MessageEnd, Span, Status};

impl Machine {
    /// Whether a short piece lies inside a string of the arguments and ends with no white space.
    #[inline]
    pub(super) fn plain_arguments(&self, piece: &[u8]) -> bool {
        self.json.passes(piece) && (!self.recovers() || matches!(piece, [.., b'!'..=b'~']))
    }

    pub(super) fn call_text(&mut self, t: &[u8], mut from: usize, to: usize) -> Step {
        if self.arguments.start.is_none() || self.json.is_complete() {
            self.fresh = false;
            from += leading(&t[from..to]);
            if from == to {
                return Ok(());
            }
            if self.arguments.start.is_none() {
                self.arguments.start = Mark::at(from);
                self.arguments.sent = from;
            }
        }
        match self.json.feed(&t[from..to]) {
            Progress::Open => {
                // Under Recover the arguments may end here, cut, and then they are trimmed.
                let keep = if self.recovers() { trimmed_end(&t[from..to]) } else { to - from };
                if keep > 0 {
                    self.send_arguments(from + keep);
                }
                Ok(())
            }
            Progress::Complete(n) if n > 0 => {
                self.send_arguments(from + n);
                if from + n < to { self.call_text(t, from + n, to) } else { Ok(()) }
            }
            Progress::Complete(n) | Progress::Dead(n) => {
                // What came before goes out before the report, as it would have in a chunk of its own.
                if self.recovers() {
                    self.argument_piece(t, from, from + n);
                }
                self.enter_malformed(from + n)?;
                self.piece(t, from, to);
                Ok(())
            }
        }
    }

    pub(super) fn call_control(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        if self.fresh && control == Control::Message {
            return self.deviate(RepeatedMessage, Span::new(at, end));
        }
        if self.json.is_complete() && !matches!(control, Control::Message | Control::Constrain) {
            return self.close_complete(control, at, end);
        }
        if self.json.in_string() && !self.tokens() {
            self.send_arguments(end);
            return Ok(());
        }
        self.enter_malformed(at)?;
        self.body_control(t, control, at, end)
    }

    /// The object is complete, and a control token ends it.
    fn close_complete(&mut self, control: Control, at: usize, end: usize) -> Step {
        if control != Control::Call {
            self.deviate_at(WrongTerminator, at)?;
        }
        self.close_call(Status::Complete, message_end(control));
        match control {
            Control::Start => self.enter_heading(Slot::Role, at, end),
            Control::Channel => self.enter_heading(Slot::Channel, at, end),
            _ => self.enter_position(end),
        }
        Ok(())
    }

    /// The stream ends in the arguments.
    pub(super) fn call_end(&mut self, at: usize) -> Step {
        let status = if self.json.is_complete() {
            self.deviate_at(WrongTerminator, at)?;
            Status::Complete
        } else {
            self.deviate_at(IncompleteArguments, at)?;
            Status::Incomplete
        };
        self.close_call(status, MessageEnd::EndOfStream);
        Ok(())
    }
}
