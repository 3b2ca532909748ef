//! In a body that is no call, or in arguments that cannot become a JSON object any more.

use super::{Machine, Route, State, Step, message_end};
use crate::DeviationKind::{
    ChannelInBody, DroppedMarker, IncompleteArguments, QuotedMarker, RepeatedMessage,
};
use crate::DeviationKind::{MalformedArguments, Unterminated};
use crate::header::Slot;
use crate::mark::Mark;
use crate::whitespace::{leading, trimmed_end};
use crate::{Channel, Control, MessageEnd, Span, Status};

impl Machine {
    /// Text of the body.
    #[inline]
    pub(super) fn piece(&mut self, t: &[u8], from: usize, to: usize) {
        self.fresh = false;
        if self.prefilled {
            self.start_prefilled();
        }
        match self.route {
            Route::Content => self.content(from, to),
            Route::Reasoning => self.reasoning(from, to),
            Route::Arguments => self.argument_piece(t, from, to),
        }
    }

    /// Arguments up to `to`, without the white space at their end: more may follow.
    pub(super) fn argument_piece(&mut self, t: &[u8], from: usize, to: usize) {
        let skipped = leading(&t[from..to]);
        if skipped == to - from {
            return;
        }
        if self.arguments.start.is_none() {
            self.arguments.start = Mark::at(from + skipped);
            self.arguments.sent = from + skipped;
        }
        self.send_arguments(from + trimmed_end(&t[from..to]));
    }

    /// What was not sent yet of the arguments up to `to`.
    #[inline]
    pub(super) fn send_arguments(&mut self, to: usize) {
        self.fresh = false;
        let piece = Span::new(self.arguments.sent, to);
        if !piece.is_empty() {
            self.arguments.sent = to;
            self.unsettled += piece.len();
            self.queue.arguments(self.call(), piece);
        }
    }

    pub(super) fn body_control(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        if self.fresh && control == Control::Message {
            return self.deviate(RepeatedMessage, Span::new(at, end));
        }
        if self.tokens() {
            return self.body_token(t, control, at, end);
        }
        if !self.recovers() {
            match control {
                Control::Channel => return self.deviate_at(ChannelInBody, at),
                Control::Message => return self.deviate_at(QuotedMarker, at),
                Control::Constrain if self.split => return self.deviate_at(QuotedMarker, at),
                _ => {}
            }
        }
        self.hold(control, at, end);
        Ok(())
    }

    /// A control token that is known to be one.
    fn body_token(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        match control {
            Control::End | Control::Return | Control::Call => {
                self.close_body(message_end(control));
                self.enter_position(end);
            }
            Control::Start => {
                self.close_body(MessageEnd::NextHeader);
                self.enter_heading(Slot::Role, at, end);
            }
            Control::Channel => {
                self.deviate_at(ChannelInBody, at)?;
                self.close_body(MessageEnd::NextHeader);
                self.enter_heading(Slot::Channel, at, end);
            }
            Control::Message | Control::Constrain if self.route == Route::Arguments => {
                self.argument_piece(t, at, end);
            }
            Control::Message | Control::Constrain => self.deviate(DroppedMarker, Span::new(at, end))?,
        }
        Ok(())
    }

    /// The body at hand ends. Arguments that came here are no JSON object.
    pub(super) fn close_body(&mut self, end: MessageEnd) {
        if self.route == Route::Arguments {
            self.close_call(Status::Malformed, end);
        } else {
            self.close(end);
        }
    }

    /// Arguments that cannot become a JSON object, from the byte at `at` on.
    pub(super) fn enter_malformed(&mut self, at: usize) -> Step {
        self.deviate_at(MalformedArguments, at)?;
        self.state = State::Body;
        self.route = Route::Arguments;
        Ok(())
    }

    /// The stream ends in the body.
    pub(super) fn body_end(&mut self, at: usize) -> Step {
        if self.route == Route::Arguments {
            self.deviate_at(IncompleteArguments, at)?;
            self.close_call(Status::Incomplete, MessageEnd::EndOfStream);
        } else {
            if self.channel == Channel::Analysis || self.absorbed {
                self.deviate_at(Unterminated, at)?;
            }
            self.close(MessageEnd::EndOfStream);
        }
        Ok(())
    }
}
