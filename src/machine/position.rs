//! Where a message may begin: before the first one and between two.
//!
//! White space here is structure. Other text is content before the first header, and a deviation after it, unless it
//! is the words of a header whose `<|start|>` was lost (`Policy::Recover` waits for that).

use super::{HEADER_LIMIT, Machine, State, Step};
use crate::DeviationKind::{MissingHeader, MissingStart, NoMessage, StrandedHeader, StrayConstrain};
use crate::DeviationKind::{StrayTerminator, StrayText};
use crate::categories::is_letter_or_digit;
use crate::header::Slot;
use crate::mark::Mark;
use crate::whitespace::leading;
use crate::words::{first_char, only_strict};
use crate::{Channel, Control, MessageEnd, Span};

impl Machine {
    pub(super) fn position_text(&mut self, t: &[u8], from: usize, to: usize) -> Step {
        if self.stray {
            self.content(from, to);
            return Ok(());
        }
        if self.hold.constrain.is_some() {
            return self.lost_constraint_text(t, to);
        }
        if self.recovers() && !self.lead {
            if self.words.extend(t, to) && !(self.words.any() && to - self.hold.start > HEADER_LIMIT) {
                return Ok(());
            }
        } else if self.still_blank(t, to) {
            if !self.lead {
                // Structure already: other text behind it will be wrong by itself.
                self.hold.start = to;
            }
            return Ok(());
        }
        self.stray_text(t, to)
    }

    /// Reads on in the last text, if it was blank so far.
    pub(super) fn still_blank(&mut self, t: &[u8], to: usize) -> bool {
        let Some(scanned) = self.hold.blank.get() else { return false };
        let scanned = scanned + leading(&t[scanned..to]);
        self.hold.blank = if scanned == to { Mark::at(to) } else { Mark::NONE };
        self.hold.blank.is_some()
    }

    /// The text that waited is content, up to `to`, and so is the rest of its run.
    fn stray_text(&mut self, t: &[u8], to: usize) -> Step {
        if !self.lead {
            self.deviate_at(StrayText, self.hold.start + leading(&t[self.hold.start..to]))?;
        }
        self.stray = true;
        self.content(self.hold.start, to);
        Ok(())
    }

    /// The text of a `<|constrain|>` behind header words.
    fn lost_constraint_text(&mut self, t: &[u8], to: usize) -> Step {
        if self.still_blank(t, to) || self.hold.length(to) <= HEADER_LIMIT {
            return Ok(());
        }
        self.no_lost_header(t, to)
    }

    pub(super) fn position_control(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        if !self.stray && self.words.any() {
            return self.behind_words(t, control, at, end);
        }
        match control {
            Control::Start => self.enter_heading(Slot::Role, at, end),
            Control::Channel => self.enter_heading(Slot::Channel, at, end),
            Control::Message => {
                self.deviate_at(MissingHeader, at)?;
                self.open(Channel::None, None, end);
            }
            Control::Constrain if self.recovers() => self.enter_format(at, end),
            Control::Constrain => return self.deviate_at(StrayConstrain, at),
            Control::End | Control::Return | Control::Call => {
                self.deviate(StrayTerminator, Span::new(at, end))?;
                self.enter_position(end);
            }
        }
        Ok(())
    }

    /// Behind words that may be a header without `<|start|>`.
    fn behind_words(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        let whole = self.words.last_is_complete(t);
        match control {
            Control::Channel | Control::Message if whole => self.lost_start(t, control, at, end),
            Control::Constrain if whole && self.hold.constrain.is_none() => {
                self.hold.open_constraint(at, end);
                Ok(())
            }
            _ => {
                self.no_lost_header(t, at)?;
                self.end_run(at);
                self.step_control(t, control, at, end)
            }
        }
    }

    /// A text run ended at a message position; another may follow.
    fn end_run(&mut self, at: usize) {
        if self.state == State::Position && self.stray {
            self.enter_position(at);
        }
    }

    /// The words that wait are a header.
    pub(super) fn lost_start(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        let hold = self.hold;
        self.deviate_at(MissingStart, hold.text)?;
        self.enter_heading(Slot::Role, hold.start, hold.text);
        self.header.lost = true;
        self.header.read(t, hold.constrain().map_or(at, |constrain| constrain.start));
        if let Some(constrain) = hold.constrain() {
            self.header.close(constrain.start);
            self.header.open(Slot::Constraint, constrain.end);
            self.header.read(t, at);
        }
        self.heading_control(t, control, at, end)
    }

    /// The words that wait are none: they are content up to `to`, and a `<|constrain|>` behind them is dropped.
    fn no_lost_header(&mut self, t: &[u8], to: usize) -> Step {
        let Some(constrain) = self.hold.constrain() else { return self.stray_text(t, to) };
        self.hold.constrain = Mark::NONE;
        self.stray_text(t, constrain.start)?;
        self.enter_format(constrain.start, constrain.end);
        if constrain.end < to { self.format_text(t, to) } else { Ok(()) }
    }

    /// Behind a `<|constrain|>` that belongs to no header.
    fn enter_format(&mut self, at: usize, end: usize) {
        self.enter_position(end);
        self.hold.start = at;
        self.state = State::Format;
    }

    pub(super) fn format_text(&mut self, t: &[u8], to: usize) -> Step {
        if self.still_blank(t, to) {
            return Ok(());
        }
        let word = self.hold.text + leading(&t[self.hold.text..to]);
        if to - word <= "json".len()
            && (b"json".starts_with(&t[word..to]) || b"code".starts_with(&t[word..to]))
        {
            return Ok(());
        }
        self.end_format(t, to)
    }

    /// Drops the token and its format word; what follows up to `to` is text at a message position.
    pub(super) fn end_format(&mut self, t: &[u8], to: usize) -> Step {
        let mut text = self.hold.text;
        let word = text + leading(&t[text..to]);
        let rest = &t[word..to];
        if (rest.starts_with(b"json") || rest.starts_with(b"code"))
            && !first_char(&rest[4..]).is_some_and(is_letter_or_digit)
        {
            text = word + 4;
        }
        self.deviate(StrayConstrain, Span::new(self.hold.start, text))?;
        self.enter_position(text);
        if text < to { self.position_text(t, text, to) } else { Ok(()) }
    }

    pub(super) fn position_end(&mut self, t: &[u8]) -> Step {
        let end = t.len();
        if !self.stray && self.words.any() {
            if !self.only_header_words(t, end) {
                self.no_lost_header(t, end)?;
                self.end_run(end);
                return self.step_end(t);
            }
            self.deviate_at(StrandedHeader, self.hold.start)?;
            self.finish.last_end = Some(MessageEnd::EndOfStream);
        }
        if self.plain == Mark::at(0) && self.recovers() {
            // A stream of nothing but blank text.
            self.content(0, end);
        }
        if !self.any {
            self.deviate_at(NoMessage, end)?;
        }
        Ok(())
    }

    /// The text that waits, and that of a `<|constrain|>` in it, is header words with nothing glued to them.
    pub(super) fn only_header_words(&self, t: &[u8], end: usize) -> bool {
        let text = self.hold.text;
        match self.hold.constrain() {
            None => only_strict(t, text, end),
            Some(constrain) => only_strict(t, text, constrain.start) && only_strict(t, constrain.end, end),
        }
    }
}
