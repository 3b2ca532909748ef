//! The filter that all formats share: bytes to events, events to choices, and everything out in its order.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt::Debug;

use super::choice::Choice;
use super::line::{Fate, Line, Waiting};
use super::pieces::{Calls, Piece};
use super::{Settings, Summary};

/// A format of streamed responses.
pub(crate) trait Wire {
    /// How calls go out.
    const CALLS: Calls;
    /// What completes an event that the end of the stream cut.
    const END: &'static [u8];
    /// A search for the end of an event, which goes on where it stopped.
    type Scan: Clone + Debug + Default;
    /// The data of an event, understood.
    type Message<'a>;

    /// Where the event at the start of `bytes` ends.
    fn end(scan: &mut Self::Scan, bytes: &[u8]) -> Option<usize>;
    /// All of `bytes` was looked at, and will not be seen again.
    fn forget(scan: &mut Self::Scan);
    /// The data of an event, if it has any.
    fn data(event: &[u8]) -> Option<Cow<'_, [u8]>>;
    fn read(data: &[u8]) -> Data<Self::Message<'_>>;
    /// What the message has for each choice in it; no choice comes twice.
    fn turns<'m>(message: &'m Self::Message<'_>) -> Vec<Turn<'m>>;
    /// Writes the event with other choices.
    fn write(
        message: &Self::Message<'_>,
        event: &[u8],
        fates: Vec<Fate>,
        settings: &Settings,
        out: &mut Vec<u8>,
    );
    /// Writes an event of the same response for each piece.
    fn add(
        message: &Self::Message<'_>,
        choice: u64,
        pieces: &[Piece],
        settings: &Settings,
        out: &mut Vec<u8>,
    );
}

/// What the data of an event is.
pub(crate) enum Data<M> {
    /// A piece of a response.
    Message(M),
    /// The mark behind the last event.
    Done,
    /// Nothing that has to do with a response.
    Other,
    /// No JSON, or none that can be understood.
    Unreadable,
}

/// What an event has for one choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn<'m> {
    pub(crate) choice: u64,
    /// The next piece of its text.
    pub(crate) text: &'m str,
    /// The upstream has split the text itself.
    pub(crate) structured: bool,
    /// Nothing follows, for this reason.
    pub(crate) reason: Option<&'m str>,
}

/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
pub(crate) struct Filter<W: Wire> {
    settings: Settings,
    /// It is known whether the stream begins with a byte order mark.
    begun: bool,
    /// The beginning of an event.
    buffer: Vec<u8>,
    scan: W::Scan,
    /// The event at hand exceeds the limit, and its beginning has gone out.
    passing: bool,
    choices: BTreeMap<u64, Choice>,
    line: Line,
    /// The data of the last message: what is added at the end looks like it.
    last: Vec<u8>,
    found: Summary,
}

impl<W: Wire> Filter<W> {
    pub(crate) fn new(settings: Settings) -> Filter<W> {
        Filter {
            settings,
            begun: false,
            buffer: Vec::new(),
            scan: W::Scan::default(),
            passing: false,
            choices: BTreeMap::new(),
            line: Line::default(),
            last: Vec::new(),
            found: Summary::default(),
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        let mut found = self.found;
        self.choices.values().for_each(|choice| found.add(&choice.summary()));
        found
    }

    pub(crate) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut buffer = core::mem::take(&mut self.buffer);
        buffer.extend_from_slice(bytes);
        let Some(mut from) = self.begin(&buffer, out) else {
            self.buffer = buffer;
            return;
        };
        while let Some(length) = W::end(&mut self.scan, &buffer[from..]) {
            self.scan = W::Scan::default();
            self.whole_event(&buffer[from..from + length], out);
            from += length;
        }
        if self.passing || buffer.len() - from > self.settings.max_event {
            self.count_long_event();
            self.passing = true;
            self.pass(&buffer[from..], out);
            W::forget(&mut self.scan);
            from = buffer.len();
        }
        buffer.drain(..from);
        self.buffer = buffer;
    }

    /// Passes a byte order mark at the beginning of the stream on, and says how long it is; `None`: more has to come.
    ///
    /// Readers of server-sent events have to ignore it, and readers of JSON may (RFC 8259, 8.1). So it belongs to no
    /// event or line, and the first one is read.
    fn begin(&mut self, buffer: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        if self.begun {
            return Some(0);
        }
        if buffer.len() < MARK.len() && MARK.starts_with(buffer) {
            return None;
        }
        self.begun = true;
        let mark = if buffer.starts_with(MARK) { MARK } else { b"" };
        out.extend_from_slice(mark);
        Some(mark.len())
    }

    pub(crate) fn finish(mut self, out: &mut Vec<u8>) -> Summary {
        let rest = core::mem::take(&mut self.buffer);
        let message = W::data(&rest).is_some_and(|data| matches!(W::read(&data), Data::Message(_)));
        if message {
            self.event(&rest, out);
        }
        if message || self.passing {
            self.close_all(W::END, out);
        } else {
            self.close_all(b"", out);
            self.event(&rest, out);
        }
        self.summary()
    }

    fn whole_event(&mut self, event: &[u8], out: &mut Vec<u8>) {
        if self.passing || event.len() > self.settings.max_event {
            self.count_long_event();
            self.passing = false;
            self.pass(event, out);
        } else {
            self.event(event, out);
        }
    }

    fn count_long_event(&mut self) {
        self.found.limits.event += u64::from(!self.passing);
    }

    fn event(&mut self, event: &[u8], out: &mut Vec<u8>) {
        let Some(data) = W::data(event) else { return self.pass_dataless(event, out) };
        match W::read(&data) {
            Data::Message(message) => {
                self.last.clear();
                self.last.extend_from_slice(&data);
                self.message(&message, event, out);
                return;
            }
            Data::Done => self.close_all(b"", out),
            Data::Other => {}
            Data::Unreadable => self.found.unreadable += 1,
        }
        self.pass(event, out);
    }

    /// A comment is often a sign of life, so it does not wait as long as a verbatim parser may.
    fn pass_dataless(&mut self, event: &[u8], out: &mut Vec<u8>) {
        if self.settings.recovers() { self.pass(event, out) } else { out.extend_from_slice(event) }
    }

    /// Lets bytes through unchanged, behind what waits.
    fn pass(&mut self, event: &[u8], out: &mut Vec<u8>) {
        if self.line.is_empty() {
            out.extend_from_slice(event);
        } else if !event.is_empty() {
            self.line.append(event);
            self.hold_less(out);
        }
    }

    fn message(&mut self, message: &W::Message<'_>, event: &[u8], out: &mut Vec<u8>) {
        let turns = W::turns(message);
        let fates: Vec<Fate> = turns.iter().map(|turn| self.turn(turn, out)).collect();
        self.release(out);
        if self.line.is_empty() && !fates.contains(&Fate::Waiting) {
            if fates.iter().all(Fate::is_untouched) {
                out.extend_from_slice(event);
            } else {
                W::write(message, event, fates, &self.settings, out);
            }
            return;
        }
        let waiting = |fate: &Fate| *fate == Fate::Waiting;
        let parts: Vec<usize> = (0..fates.len()).filter(|&part| waiting(&fates[part])).collect();
        let event = self.line.push(event.to_vec(), fates);
        for part in parts {
            if let Some(choice) = self.choices.get_mut(&turns[part].choice) {
                choice.wait(event, part);
                // A later choice of this event may have decided it.
                settle(choice, &mut self.line);
            }
        }
        self.hold_less(out);
        self.release(out);
    }

    fn turn(&mut self, turn: &Turn<'_>, out: &mut Vec<u8>) -> Fate {
        if !self.choices.contains_key(&turn.choice) {
            if self.choices.len() >= self.settings.max_choices {
                self.found.limits.choices += 1;
                return Fate::Untouched;
            }
            self.choices.insert(turn.choice, Choice::new(&self.settings, W::CALLS));
        }
        let Some(choice) = self.choices.get_mut(&turn.choice) else { return Fate::Untouched };
        if choice.is_over() {
            return choice.afterwards(turn.text, turn.reason);
        }
        let refused = !turn.structured && !turn.text.is_empty() && choice.push(turn.text).is_err();
        if turn.structured || refused {
            self.found.limits.transcript += u64::from(refused);
            choice.give_up();
            let fate = choice.afterwards(turn.text, turn.reason);
            self.flush(turn.choice, out);
            return fate;
        }
        if turn.reason.is_some() {
            choice.end();
        }
        settle(choice, &mut self.line);
        choice.fate(turn.text, turn.reason)
    }

    /// Ends every choice; what one still has to say goes out in events of its own, behind `separator`.
    fn close_all(&mut self, separator: &[u8], out: &mut Vec<u8>) {
        let mut separator = separator;
        let choices: Vec<u64> = self.choices.keys().copied().collect();
        for index in choices {
            if let Some(choice) = self.choices.get_mut(&index) {
                choice.end();
                settle(choice, &mut self.line);
                if choice.has_pieces() {
                    self.pass(core::mem::take(&mut separator), out);
                }
            }
            self.flush(index, out);
        }
        self.release(out);
    }

    /// Lets out what a choice has to say while no event of its own is at hand.
    fn flush(&mut self, index: u64, out: &mut Vec<u8>) {
        let Some(choice) = self.choices.get_mut(&index) else { return };
        settle(choice, &mut self.line);
        let pieces = choice.take_pieces();
        if pieces.is_empty() {
            return;
        }
        let last = core::mem::take(&mut self.last);
        if let Data::Message(message) = W::read(&last) {
            let mut events = Vec::new();
            W::add(&message, index, &pieces, &self.settings, &mut events);
            self.pass(&events, out);
        }
        self.last = last;
    }

    /// Lets out what waits no longer.
    fn release(&mut self, out: &mut Vec<u8>) {
        while let Some(waiting) = self.line.next() {
            let Waiting { raw, fates, .. } = waiting;
            if fates.iter().all(Fate::is_untouched) {
                out.extend_from_slice(&raw);
            } else if let Data::Message(message) = W::read(&W::data(&raw).unwrap_or_default()) {
                W::write(&message, &raw, fates, &self.settings, out);
            }
        }
    }

    /// Where too much waits, the choices that it waits for are read no further.
    fn hold_less(&mut self, out: &mut Vec<u8>) {
        if self.line.bytes() <= self.settings.max_held {
            return;
        }
        self.found.limits.held += 1;
        for choice in self.choices.values_mut().filter(|choice| choice.is_waiting()) {
            choice.give_up();
            settle(choice, &mut self.line);
        }
        self.release(out);
    }
}

/// Tells the events that wait for this choice what it has decided.
fn settle(choice: &mut Choice, line: &mut Line) {
    while let Some((ticket, fate)) = choice.decided() {
        line.decide(ticket, fate);
    }
}
