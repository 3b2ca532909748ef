//! In a body, behind a control token that is a quotation or not: what follows decides.
//!
//! | token | is structure before | is a quotation before |
//! | --- | --- | --- |
//! | a terminator | a control token, the end, header words that run into one | other text |
//! | `<|start|>` | at most one text run and `<|channel|>` or `<|message|>` | text and another token |
//! | `<|channel|>` (recover) | header words and `<|message|>`, `<|constrain|>`, `<|channel|>` | other text |
//! | `<|message|>` (recover), `<|constrain|>` | never | text |
//!
//! Where neither holds the token is dropped, a deviation.

use super::{HEADER_LIMIT, Hold, Machine, Route, State, Step, message_end};
use crate::DeviationKind::{ChannelInBody, DroppedMarker, QuotedMarker, StrandedHeader};
use crate::header::Slot;
use crate::mark::Mark;
use crate::whitespace::leading;
use crate::words::only_strict;
use crate::{Control, MessageEnd, Span};

impl Machine {
    /// The token `at..end` waits.
    pub(super) fn hold(&mut self, marker: Control, at: usize, end: usize) {
        self.state = State::Held;
        self.fresh = false;
        self.hold = Hold { marker, start: at, text: end, blank: Mark::at(end), constrain: Mark::NONE };
        self.words.restart(end);
    }

    pub(super) fn held_text(&mut self, t: &[u8], to: usize) -> Step {
        if self.still_blank(t, to) {
            return Ok(());
        }
        if self.may_be_header(t, to) { Ok(()) } else { self.release(t, to) }
    }

    /// Whether the token and its text, not blank, up to `to` may still turn out to be structure.
    fn may_be_header(&mut self, t: &[u8], to: usize) -> bool {
        if self.hold.marker == Control::Start && !self.recovers() {
            return true;
        }
        let possible = match (self.hold.marker, self.hold.constrain()) {
            (Control::Message | Control::Constrain, _) => false,
            (Control::Start, None) => true,
            // A constraint between words and a header may say anything, but behind `<|start|>` only words wait.
            (Control::Start, Some(_)) => self.words.extend(t, to),
            (_, Some(_)) => true,
            (_, None) => self.recovers() && self.words.extend(t, to),
        };
        possible && self.hold.length(to) <= HEADER_LIMIT
    }

    /// The token, and all that waits behind it up to `to`, is no structure.
    fn release(&mut self, t: &[u8], to: usize) -> Step {
        let Some(constrain) = self.hold.constrain() else { return self.quote(t, to) };
        self.quote(t, constrain.start)?;
        self.hold(Control::Constrain, constrain.start, constrain.end);
        if constrain.end < to { self.held_text(t, to) } else { Ok(()) }
    }

    /// The token and the text behind it up to `to` belong to the body.
    fn quote(&mut self, t: &[u8], to: usize) -> Step {
        let never = matches!(self.hold.marker, Control::Channel | Control::Message);
        if (never || self.split) && self.route != Route::Arguments {
            let start = self.hold.start;
            self.deviate_late(QuotedMarker, Span::new(start, start), self.no_structure(t, to))?;
        }
        self.absorbed = true;
        self.state = State::Body;
        self.piece(t, self.hold.start, to);
        Ok(())
    }

    /// The byte that proves the token, with text behind it up to `to`, no structure (`Policy::Verbatim`).
    fn no_structure(&self, t: &[u8], to: usize) -> usize {
        let any_text = self.hold.marker == Control::Start;
        if any_text { to } else { self.hold.text + leading(&t[self.hold.text..to]) }
    }

    /// The token goes; white space behind it up to `to` belongs to the body. Arguments keep everything.
    fn drop_marker(&mut self, t: &[u8], to: usize) -> Step {
        if self.route == Route::Arguments {
            return self.quote(t, to);
        }
        self.deviate_late(DroppedMarker, Span::new(self.hold.start, self.hold.text), to)?;
        self.state = State::Body;
        if self.hold.text < to {
            self.piece(t, self.hold.text, to);
        }
        Ok(())
    }

    pub(super) fn held_control(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        match self.hold.marker {
            _ if self.hold.constrain.is_some() => self.behind_constraint(t, control, at, end),
            Control::End | Control::Return | Control::Call => self.behind_terminator(t, control, at, end),
            Control::Start => self.behind_start(t, control, at, end),
            Control::Channel => self.behind_channel(t, control, at, end),
            Control::Message | Control::Constrain => {
                self.drop_marker(t, at)?;
                self.step_control(t, control, at, end)
            }
        }
    }

    fn behind_terminator(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        if self.hold.is_blank() {
            self.close_body(message_end(self.hold.marker));
            self.enter_position(at);
            return self.step_control(t, control, at, end);
        }
        let whole = self.words.last_is_complete(t);
        match control {
            Control::Channel | Control::Message if whole => self.lost_start_in_body(t, control, at, end),
            Control::Constrain if whole => {
                self.hold.open_constraint(at, end);
                Ok(())
            }
            _ => {
                self.release(t, at)?;
                self.step_control(t, control, at, end)
            }
        }
    }

    /// Behind words and a `<|constrain|>`.
    fn behind_constraint(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        let header = matches!(control, Control::Channel | Control::Message);
        if header && self.hold.marker.is_terminator() {
            return self.lost_start_in_body(t, control, at, end);
        }
        self.release(t, at)?;
        self.step_control(t, control, at, end)
    }

    fn lost_start_in_body(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        self.close_body(message_end(self.hold.marker));
        self.lost_start(t, control, at, end)
    }

    fn behind_start(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        let text = self.hold.text;
        match control {
            Control::Channel | Control::Message => {
                self.close_body(MessageEnd::NextHeader);
                self.enter_heading(Slot::Role, self.hold.start, text);
                self.header.split = true;
                self.header.read(t, at);
                return self.heading_control(t, control, at, end);
            }
            Control::Constrain
                if self.recovers() && self.hold.blank.is_none() && only_strict(t, text, at) =>
            {
                self.hold.open_constraint(at, end);
                self.words.restart(end);
                return Ok(());
            }
            _ if self.hold.is_blank() => self.drop_marker(t, at)?,
            _ => self.quote(t, at)?,
        }
        self.step_control(t, control, at, end)
    }

    fn behind_channel(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        let words = self.hold.is_blank() || self.words.last_is_complete(t);
        if words && matches!(control, Control::Message | Control::Constrain | Control::Channel) {
            self.deviate_at(ChannelInBody, self.hold.start)?;
            self.close_body(MessageEnd::NextHeader);
            self.enter_heading(Slot::Channel, self.hold.start, self.hold.text);
            self.header.read(t, at);
            return self.heading_control(t, control, at, end);
        }
        if self.hold.is_blank() {
            self.drop_marker(t, at)?;
        } else {
            self.quote(t, at)?;
        }
        self.step_control(t, control, at, end)
    }

    pub(super) fn held_end(&mut self, t: &[u8]) -> Step {
        let end = t.len();
        let marker = self.hold.marker;
        if marker.is_terminator() && self.hold.is_blank() {
            self.close_body(message_end(marker));
            return Ok(());
        }
        let begins = !matches!(marker, Control::Message | Control::Constrain);
        if begins && self.only_header_words(t, end) {
            self.deviate_at(StrandedHeader, end)?;
            self.close_body(message_end(marker));
            self.finish.last_end = Some(MessageEnd::EndOfStream);
            return Ok(());
        }
        if self.hold.is_blank() {
            self.drop_marker(t, end)?;
        } else {
            self.release(t, end)?;
        }
        self.step_end(t)
    }
}
