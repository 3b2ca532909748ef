//! In a header. In order: `<|start|>`, perhaps with a role, `<|channel|>` with its name, perhaps `<|constrain|>` with
//! a format, and `<|message|>`; or the same from `<|channel|>` on, or without it.

use super::{HEADER_LIMIT, Machine, State, Step, message_end};
use crate::DeviationKind::{DroppedText, HeaderOrder, IncompleteArguments, LongHeader, MalformedArguments};
use crate::DeviationKind::{RepeatedStart, StrandedHeader, UnknownChannel};
use crate::header::{Slot, is_call, names_channel};
use crate::json::is_object;
use crate::mark::Mark;
use crate::stranded::{Stranded, only_punctuation, strand};
use crate::whitespace::{space, trimmed_end};
use crate::words::{channel, may_become_channel};
use crate::{Channel, Control, Failure, MessageEnd, Span, Status};

impl Machine {
    /// A header begins with the token `at..end`.
    pub(super) fn enter_heading(&mut self, slot: Slot, at: usize, end: usize) {
        self.state = State::Heading;
        self.on_channel(Channel::None);
        self.lead = false;
        self.header.begin(slot, end);
        self.header.start = at;
    }

    pub(super) fn heading_text(&mut self, t: &[u8], to: usize) -> Step {
        if !self.header.read(t, to) {
            return Ok(());
        }
        if !self.recovers() {
            return self.known_so_far(t, to);
        }
        let room = HEADER_LIMIT.saturating_sub(self.header.length);
        if to - self.header.text > room { self.long_header(t, room, to) } else { Ok(()) }
    }

    /// A channel's name must stay one with every byte (`Policy::Verbatim` fails with the first that breaks it).
    fn known_so_far(&mut self, t: &[u8], to: usize) -> Step {
        let Some(word) =
            self.header.word().filter(|_| self.header.slot == Slot::Channel && !self.header.named)
        else {
            return Ok(());
        };
        let broken = (word + 1..=to).find(|&end| !may_become_channel(&t[word..end]));
        match broken.map(|end| end - 1) {
            None => Ok(()),
            Some(at) if space(&t[at..]) > 0 && channel(&t[word..at]).is_some() => {
                self.header.named = true;
                Ok(())
            }
            Some(offset) => Err(Failure { kind: UnknownChannel, offset }),
        }
    }

    pub(super) fn heading_control(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        if self.header.slot == Slot::Channel
            && !self.header.word().is_some_and(|word| names_channel(&t[word..at]))
        {
            // A word cut short is proved wrong by what ends it; a repair is reported where the word begins.
            let word = self.header.word().filter(|_| self.recovers());
            self.deviate_at(UnknownChannel, word.unwrap_or(at))?;
        }
        if control == Control::Start && self.header.is_empty() {
            return self.repeated_start(at, end);
        }
        self.header.close(at);
        match control {
            Control::Channel => {
                if self.header.channels > 0 || self.header.constraints {
                    self.deviate_at(HeaderOrder, at)?;
                }
                self.header.open(Slot::Channel, end);
            }
            Control::Constrain => {
                if self.header.channels == 0 || self.header.constraints {
                    self.deviate_at(HeaderOrder, at)?;
                }
                self.header.open(Slot::Constraint, end);
            }
            Control::Message => self.open_headed(t, end),
            Control::Start => {
                self.strand(t, MessageEnd::NextHeader, at)?;
                self.enter_heading(Slot::Role, at, end);
            }
            Control::End | Control::Return | Control::Call => {
                self.strand(t, message_end(control), at)?;
                self.enter_position(end);
            }
        }
        Ok(())
    }

    /// `<|start|>` right behind `<|start|>`. Behind the prompt's own it is no deviation: the model began anew.
    fn repeated_start(&mut self, at: usize, end: usize) -> Step {
        if !self.header.prompted {
            self.deviate(RepeatedStart, Span::new(at, end))?;
        }
        let split = self.header.split;
        self.enter_heading(Slot::Role, at, end);
        self.header.split = split;
        Ok(())
    }

    /// The header is complete.
    fn open_headed(&mut self, t: &[u8], at: usize) {
        let recipient = self.header.recipient(t, self.options.routing);
        self.open(self.header.channel(t), recipient, at);
        self.split = self.header.split;
    }

    pub(super) fn heading_end(&mut self, t: &[u8]) -> Step {
        self.header.close(t.len());
        self.strand(t, MessageEnd::EndOfStream, t.len())?;
        self.enter_position(t.len());
        self.step_end(t)
    }

    /// The header ends at `at` without `<|message|>`.
    fn strand(&mut self, t: &[u8], end: MessageEnd, at: usize) -> Step {
        self.deviate_at(StrandedHeader, at)?;
        let cut = end == MessageEnd::EndOfStream;
        let mut stranded = self.stranded(t, cut);
        self.finish.last_end = Some(end);
        if self.stranded_call(t, &stranded, end)? {
            return Ok(());
        }
        let silent = matches!(stranded.channel, Channel::Commentary | Channel::None | Channel::Other);
        if silent && only_punctuation(t, &stranded.text) {
            stranded.dropped.extend(stranded.text.drain(..));
        }
        self.drop_text(&stranded)?;
        self.route_stranded(&stranded, end);
        Ok(())
    }

    fn stranded(&self, t: &[u8], cut: bool) -> Stranded {
        strand(t, &self.header.fields, self.header.channels > 0, self.options.routing, cut)
    }

    fn drop_text(&mut self, stranded: &Stranded) -> Step {
        stranded.dropped.iter().try_for_each(|&span| self.deviate(DroppedText, span))
    }

    /// Text in one slot that begins with `{`, for a recipient.
    fn stranded_call(&mut self, t: &[u8], stranded: &Stranded, end: MessageEnd) -> Result<bool, Failure> {
        let ([span], Some(recipient)) = (&stranded.text[..], stranded.recipient) else { return Ok(false) };
        if t[span.start] != b'{' || !is_call(self.options.routing, stranded.channel) {
            return Ok(false);
        }
        self.drop_text(stranded)?;
        self.open(stranded.channel, Some(recipient), span.start);
        self.argument_piece(t, span.start, span.end);
        let whole = is_object(&t[span.start..span.start + trimmed_end(&t[span.start..span.end])]);
        let status = match end {
            _ if whole => Status::Complete,
            MessageEnd::EndOfStream => Status::Incomplete,
            _ => Status::Malformed,
        };
        match status {
            Status::Complete => {}
            Status::Malformed => self.deviate_at(MalformedArguments, span.end)?,
            Status::Incomplete => self.deviate_at(IncompleteArguments, span.end)?,
        }
        self.close_call(status, end);
        Ok(true)
    }

    /// Text goes where its channel says; on the others it is content if the turn ends here.
    fn route_stranded(&mut self, stranded: &Stranded, end: MessageEnd) {
        if stranded.text.is_empty() {
            return;
        }
        let ends_turn = matches!(end, MessageEnd::Return | MessageEnd::EndOfStream);
        let content =
            stranded.channel == Channel::Final || stranded.channel != Channel::Analysis && ends_turn;
        self.plain = Mark::NONE;
        self.any = true;
        self.on_channel(stranded.channel);
        self.queue.message_start(stranded.channel, stranded.recipient.map(|recipient| recipient.full));
        for span in &stranded.text {
            if content {
                self.content(span.start, span.end);
            } else {
                self.reasoning(span.start, span.end);
            }
        }
        self.close(end);
    }

    /// More text than a header has: the body begins where it would pass the limit, `room` bytes into the slot.
    fn long_header(&mut self, t: &[u8], room: usize, to: usize) -> Step {
        let mut cut = self.header.text + room;
        let least = cut.saturating_sub(3).max(self.header.text);
        while cut > least && t[cut] & 0xc0 == 0x80 {
            cut -= 1;
        }
        self.header.read(t, cut);
        self.header.cut(cut);
        self.deviate_at(LongHeader, cut)?;
        let mut stranded = self.stranded(t, false);
        if stranded.recipient.is_some() && is_call(self.options.routing, stranded.channel) {
            stranded.keep_one(cut);
        }
        self.drop_text(&stranded)?;
        let start = stranded.text.first().map_or(cut, |span| span.start);
        self.open(stranded.channel, stranded.recipient, start);
        self.fresh = false;
        if self.state == State::Call {
            return self.call_text(t, start, to);
        }
        for span in &stranded.text {
            self.piece(t, span.start, span.end);
        }
        self.piece(t, cut, to);
        Ok(())
    }
}
