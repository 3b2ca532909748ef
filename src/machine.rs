//! The grammar: tokens in, events out. It owns no text; every event is a span of the transcript.
//!
//! Both policies are one machine. Where a text leaves the grammar, the machine calls [`Machine::deviate`]: under
//! `Policy::Verbatim` that ends the parse, under `Policy::Recover` it reports the repair that the next line makes.
//! A file a state:
//!
//! * `position` where a message may begin: before the first one and between two;
//! * `heading` in a header;
//! * `body` in a body that is no call, or in arguments that are no JSON object;
//! * `held` in such a body, behind a control token whose meaning the next token decides;
//! * `call` in arguments that may still become a JSON object.

mod body;
mod call;
mod heading;
mod held;
mod position;

use crate::header::{Header, Recipient, is_call};
use crate::json::Json;
use crate::mark::Mark;
use crate::queue::{Queue, Queued};
use crate::words::Words;
use crate::{
    Channel, Control, DeviationKind, Event, Failure, Finish, Input, MessageEnd, Options, Policy, Span, Start,
    Status,
};

/// How many bytes of header text may wait for what they are (`Policy::Recover`).
const HEADER_LIMIT: usize = 1024;

/// `Err`: the text left the grammar under `Policy::Verbatim`.
type Step = Result<(), Failure>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Position,
    /// At a message position behind `<|constrain|>`: its format word goes with it.
    Format,
    Heading,
    Body,
    Held,
    Call,
    /// Failed: everything is content from here on.
    Failed,
}

/// Where the text of a body goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route {
    Content,
    Reasoning,
    /// Arguments that are no JSON object.
    Arguments,
}

/// What waits for the tokens behind it.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// The control token in a body.
    marker: Control,
    /// Where it begins; at a message position, where the text begins.
    start: usize,
    /// Where the text behind it begins.
    text: usize,
    /// The last text that waits, behind the token or behind `constrain`, is white space up to here and nothing else.
    blank: Mark,
    /// Where a `<|constrain|>` behind the text begins.
    constrain: Mark,
}

impl Hold {
    /// A `<|constrain|>` whose literal is `at..end` waits behind the text.
    fn open_constraint(&mut self, at: usize, end: usize) {
        self.constrain = Mark::at(at);
        self.blank = Mark::at(end);
    }

    /// Bytes of header text that wait up to `to`, blank text alone not counted.
    fn length(&self, to: usize) -> usize {
        let last = |from: usize| if self.blank.is_some() { 0 } else { to - from };
        match self.constrain() {
            None => last(self.text),
            Some(constrain) => constrain.start - self.text + last(constrain.end),
        }
    }

    /// Nothing but white space waits behind the token.
    fn is_blank(&self) -> bool {
        self.blank.is_some() && self.constrain.is_none()
    }

    /// The `<|constrain|>` behind the text.
    fn constrain(&self) -> Option<Span> {
        let at = self.constrain.get()?;
        Some(Span::new(at, at + Control::Constrain.literal().len()))
    }
}

/// The arguments of the call at hand.
#[derive(Clone, Copy, Debug, Default)]
struct Arguments {
    /// Where they begin, once something other than white space has come.
    start: Mark,
    /// What was emitted ends here.
    sent: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Machine {
    options: Options,
    state: State,
    route: Route,
    channel: Channel,
    header: Header,
    hold: Hold,
    words: Words,
    json: Json,
    arguments: Arguments,
    /// Calls begun so far.
    calls: u32,
    /// No header and no body was seen yet.
    lead: bool,
    /// At a message position: the text run at hand is content already.
    stray: bool,
    /// A message was seen.
    any: bool,
    /// The body at hand came from a `<|start|>` in another body; it may quote nothing.
    split: bool,
    /// The body at hand quotes a control token; it must not run to the end of the stream.
    absorbed: bool,
    /// Nothing of the body at hand was seen yet.
    fresh: bool,
    /// The prompt began this body; its MessageStart waits for its first piece.
    prefilled: bool,
    /// All that was emitted is the transcript up to here, as content.
    plain: Mark,
    /// The stream has ended.
    pub(crate) ended: bool,
    /// Bytes of text on the channel at hand that `finish` does not count yet.
    unsettled: usize,
    pub(crate) queue: Queue,
    finish: Finish,
}

impl Machine {
    /// `utf8`: the transcript is known to be UTF-8.
    pub(crate) fn new(options: Options, utf8: bool) -> Machine {
        let hold =
            Hold { marker: Control::Start, start: 0, text: 0, blank: Mark::at(0), constrain: Mark::NONE };
        let mut machine = Machine {
            options,
            state: State::Position,
            route: Route::Content,
            channel: Channel::None,
            header: Header::default(),
            hold,
            words: Words::default(),
            json: Json::new(utf8),
            arguments: Arguments::default(),
            calls: 0,
            lead: true,
            stray: false,
            any: false,
            split: false,
            absorbed: false,
            fresh: true,
            prefilled: false,
            plain: Mark::at(0),
            ended: false,
            unsettled: 0,
            queue: Queue::default(),
            finish: Finish::default(),
        };
        machine.begin();
        machine
    }

    pub(crate) fn reset(&mut self) {
        self.calls = 0;
        self.lead = true;
        self.any = false;
        self.prefilled = false;
        self.plain = Mark::at(0);
        self.ended = false;
        self.unsettled = 0;
        self.queue.clear();
        self.finish = Finish::default();
        self.begin();
    }

    /// The state that the option `start` asks for.
    fn begin(&mut self) {
        match self.options.start {
            Start::Detect => self.enter_position(0),
            Start::AssistantHeader => {
                self.header.begin(crate::header::Slot::Role, 0);
                self.header.start = 0;
                self.header.prompted = true;
                self.lead = false;
                self.state = State::Heading;
            }
            Start::AnalysisBody => self.prefill(Channel::Analysis),
            Start::FinalBody => self.prefill(Channel::Final),
        }
    }

    fn prefill(&mut self, channel: Channel) {
        self.enter_body(channel);
        self.prefilled = true;
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn failed(&self) -> bool {
        self.state == State::Failed
    }

    /// Text `from..to` of the transcript: the next piece of a run.
    #[inline]
    pub(crate) fn text(&mut self, transcript: &[u8], from: usize, to: usize) {
        self.queue.now = to;
        if self.state == State::Body && self.route == Route::Content && !self.fresh {
            // The answer streams by: nothing else can happen to its text.
            self.content(from, to);
        } else {
            self.other_text(transcript, from, to);
        }
    }

    #[inline(never)]
    fn other_text(&mut self, transcript: &[u8], from: usize, to: usize) {
        if self.state == State::Call && self.plain_arguments(&transcript[from..to]) {
            self.send_arguments(to);
        } else if let Err(failure) = self.step_text(&transcript[..to], from, to) {
            self.fail(failure, to);
        }
    }

    /// A control token whose literal is `at..end` of the transcript.
    pub(crate) fn control(&mut self, transcript: &[u8], control: Control, at: usize, end: usize) {
        self.queue.now = end;
        if let Err(failure) = self.step_control(&transcript[..end], control, at, end) {
            self.fail(failure, end);
        }
    }

    /// The stream ends with the transcript.
    pub(crate) fn end(&mut self, transcript: &[u8]) {
        self.ended = true;
        self.queue.now = transcript.len();
        if let Err(failure) = self.step_end(transcript) {
            self.fail(failure, transcript.len());
        }
        self.queue.finish();
    }

    #[inline]
    fn step_text(&mut self, t: &[u8], from: usize, to: usize) -> Step {
        match self.state {
            State::Body => {
                self.piece(t, from, to);
                Ok(())
            }
            State::Call => self.call_text(t, from, to),
            State::Position => self.position_text(t, from, to),
            State::Format => self.format_text(t, to),
            State::Heading => self.heading_text(t, to),
            State::Held => self.held_text(t, to),
            State::Failed => {
                self.content(from, to);
                Ok(())
            }
        }
    }

    fn step_control(&mut self, t: &[u8], control: Control, at: usize, end: usize) -> Step {
        match self.state {
            State::Body => self.body_control(t, control, at, end),
            State::Call => self.call_control(t, control, at, end),
            State::Position => self.position_control(t, control, at, end),
            State::Format => {
                self.end_format(t, at)?;
                self.step_control(t, control, at, end)
            }
            State::Heading => self.heading_control(t, control, at, end),
            State::Held => self.held_control(t, control, at, end),
            State::Failed => {
                self.content(at, end);
                Ok(())
            }
        }
    }

    fn step_end(&mut self, t: &[u8]) -> Step {
        match self.state {
            State::Body => self.body_end(t.len()),
            State::Call => self.call_end(t.len()),
            State::Position => self.position_end(t),
            State::Format => {
                self.end_format(t, t.len())?;
                self.step_end(t)
            }
            State::Heading => self.heading_end(t),
            State::Held => self.held_end(t),
            State::Failed => Ok(()),
        }
    }

    /// How far the transcript is settled: nothing before it waits for what follows.
    pub(crate) fn settled(&self, read: usize) -> usize {
        match self.state {
            State::Position if self.stray => read,
            State::Position if self.hold.constrain.is_none() && self.hold.start >= read => read,
            State::Position | State::Format | State::Held => self.hold.start,
            State::Heading => self.header.start,
            State::Body if self.route == Route::Arguments => self.settled_arguments(read),
            State::Call if self.json.is_complete() || self.recovers() => self.settled_arguments(read),
            State::Body | State::Call | State::Failed => read,
        }
    }

    /// White space behind the arguments waits; before them it is none of them.
    fn settled_arguments(&self, read: usize) -> usize {
        if self.arguments.start.is_some() { self.arguments.sent } else { read }
    }

    /// The next event that was not taken, its pieces made by `piece`, and its position in the stream.
    #[inline]
    pub(crate) fn next<P>(&mut self, piece: impl Fn(Span) -> P) -> Option<(Event<P>, usize)> {
        let queued = self.queue.next()?;
        let event = match queued.common() {
            // The common ones, for which the caller's code should stay small.
            Some(event) => event.map(piece),
            None => self.other_event(queued, piece),
        };
        Some((event, queued.position))
    }

    #[inline(never)]
    fn other_event<P>(&self, queued: Queued, piece: impl Fn(Span) -> P) -> Event<P> {
        queued.event(|| self.summary(), piece)
    }

    fn recovers(&self) -> bool {
        self.options.policy == Policy::Recover
    }

    /// Control tokens come out of band, so each of them is structure and none a quotation.
    fn tokens(&self) -> bool {
        self.options.input == Input::Tokens
    }

    /// The text leaves the grammar at `dropped.start`; a repair follows, which leaves out `dropped`.
    fn deviate(&mut self, kind: DeviationKind, dropped: Span) -> Step {
        self.deviate_late(kind, dropped, dropped.start)
    }

    /// The same, where only the byte at `proof` tells that the text leaves the grammar.
    fn deviate_late(&mut self, kind: DeviationKind, dropped: Span, proof: usize) -> Step {
        if !self.recovers() {
            return Err(Failure { kind, offset: proof });
        }
        self.plain = Mark::NONE;
        self.finish.deviations += 1;
        self.queue.deviation(kind, dropped);
        Ok(())
    }

    /// The same, where nothing is left out.
    fn deviate_at(&mut self, kind: DeviationKind, at: usize) -> Step {
        self.deviate(kind, Span::new(at, at))
    }

    /// Takes everything back, unless all that was emitted is the transcript so far.
    #[cold]
    fn fail(&mut self, failure: Failure, end: usize) {
        let kept = self.plain.get().unwrap_or_else(|| {
            self.queue.rollback();
            0
        });
        self.plain = Mark::at(kept);
        self.state = State::Failed;
        self.on_channel(Channel::None);
        self.finish = Finish { failure: Some(failure), ..Finish::default() };
        self.unsettled = kept;
        self.content(kept, end);
    }

    #[inline]
    fn content(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        self.plain = if self.plain == Mark::at(from) { Mark::at(to) } else { Mark::NONE };
        self.unsettled += to - from;
        self.queue.content(Span::new(from, to));
    }

    fn reasoning(&mut self, from: usize, to: usize) {
        if from == to {
            return;
        }
        self.plain = Mark::NONE;
        self.unsettled += to - from;
        self.queue.reasoning(Span::new(from, to));
    }

    /// From here on text belongs to this channel.
    fn on_channel(&mut self, channel: Channel) {
        *self.finish.bytes.of(self.channel) += core::mem::take(&mut self.unsettled);
        self.channel = channel;
    }

    /// How the stream stands.
    pub(crate) fn summary(&self) -> Finish {
        let mut finish = self.finish;
        *finish.bytes.of(self.channel) += self.unsettled;
        finish
    }

    /// A message position, whose text would begin at `at`.
    fn enter_position(&mut self, at: usize) {
        self.state = State::Position;
        self.on_channel(Channel::None);
        self.stray = false;
        self.hold = Hold { start: at, text: at, blank: Mark::at(at), constrain: Mark::NONE, ..self.hold };
        self.words.restart(at);
    }

    /// A body that is no call.
    fn enter_body(&mut self, channel: Channel) {
        self.state = State::Body;
        self.on_channel(channel);
        self.route = if channel == Channel::Analysis { Route::Reasoning } else { Route::Content };
        self.lead = false;
        self.any = true;
        self.absorbed = false;
        self.split = false;
        self.fresh = true;
    }

    /// A message begins: its body follows at `at`.
    fn open(&mut self, channel: Channel, recipient: Option<Recipient>, at: usize) {
        self.plain = Mark::NONE;
        self.queue.message_start(channel, recipient.map(|recipient| recipient.full));
        self.enter_body(channel);
        let called = recipient.filter(|_| is_call(self.options.routing, channel));
        if let Some(recipient) = called {
            self.queue.call_start(self.calls, recipient.name, recipient.full);
            self.arguments = Arguments { start: Mark::NONE, sent: at };
            self.calls += 1;
            self.json.restart();
            self.state = State::Call;
        }
    }

    /// The message at hand ends.
    fn close(&mut self, end: MessageEnd) {
        self.start_prefilled();
        self.plain = Mark::NONE;
        self.queue.message_end(end);
        self.finish.last_end = Some(end);
    }

    /// The call at hand ends, and with it its message.
    fn close_call(&mut self, status: Status, end: MessageEnd) {
        let Arguments { start, sent } = self.arguments;
        self.queue.call_end(self.call(), Span::new(start.get().unwrap_or(sent), sent), status);
        self.close(end);
    }

    /// The number of the call at hand, which is the last one that began.
    fn call(&self) -> u32 {
        self.calls - 1
    }

    fn start_prefilled(&mut self) {
        if self.prefilled {
            self.prefilled = false;
            self.plain = Mark::NONE;
            self.queue.message_start(self.channel, None);
        }
    }
}

/// How a terminator ends a message; any other token is the next header.
fn message_end(control: Control) -> MessageEnd {
    match control {
        Control::End => MessageEnd::End,
        Control::Return => MessageEnd::Return,
        Control::Call => MessageEnd::Call,
        _ => MessageEnd::NextHeader,
    }
}
