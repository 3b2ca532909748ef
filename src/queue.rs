//! Events on their way from the machine to the caller, as spans: 32 bytes each.

use alloc::vec::Vec;

use crate::{Channel, DeviationKind, Event, Finish, MessageEnd, Span, Status};

/// An event without its text. What `span` and `index` mean depends on the kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queued {
    kind: Kind,
    index: u32,
    span: Span,
    /// Bytes of the stream before the event became certain.
    pub(crate) position: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Bit 0 of `index`: the span is a recipient.
    MessageStart(Channel),
    Content,
    Reasoning,
    /// The span is the recipient; the name is what follows this many bytes of it.
    ToolCallStart(u8),
    ToolCallArguments,
    ToolCallEnd(Status),
    MessageEnd(MessageEnd),
    Deviation(DeviationKind),
    Rollback,
    Finish,
}

impl Queued {
    /// A piece of text; almost all events are.
    #[inline]
    pub(crate) fn common(&self) -> Option<Event<Span>> {
        match self.kind {
            Kind::Content => Some(Event::Content { text: self.span }),
            Kind::Reasoning => Some(Event::Reasoning { text: self.span }),
            Kind::ToolCallArguments => Some(Event::ToolCallArguments { index: self.index, text: self.span }),
            _ => None,
        }
    }

    /// The event, its pieces made by `piece`; `finish` gives the summary.
    #[inline]
    pub(crate) fn event<P>(self, finish: impl Fn() -> Finish, piece: impl Fn(Span) -> P) -> Event<P> {
        let Queued { kind, index, span, .. } = self;
        match kind {
            Kind::MessageStart(channel) => {
                Event::MessageStart { channel, recipient: (index == 1).then(|| piece(span)) }
            }
            Kind::Content => Event::Content { text: piece(span) },
            Kind::Reasoning => Event::Reasoning { text: piece(span) },
            Kind::ToolCallStart(prefix) => {
                let name = Span::new(span.start + usize::from(prefix), span.end);
                Event::ToolCallStart { index, name: piece(name), recipient: piece(span) }
            }
            Kind::ToolCallArguments => Event::ToolCallArguments { index, text: piece(span) },
            Kind::ToolCallEnd(status) => Event::ToolCallEnd { index, arguments: piece(span), status },
            Kind::MessageEnd(end) => Event::MessageEnd { end },
            Kind::Deviation(kind) => Event::Deviation { kind, offset: span.start, dropped: piece(span) },
            Kind::Rollback => Event::Rollback,
            Kind::Finish => Event::Finish(finish()),
        }
    }
}

/// First in, first out. Its memory is kept, so a steady stream allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    events: Vec<Queued>,
    taken: usize,
    /// Where in the stream the machine is.
    pub(crate) now: usize,
}

impl Queue {
    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.taken = 0;
        self.now = 0;
    }

    /// The next one.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Queued> {
        let queued = *self.events.get(self.taken)?;
        self.taken += 1;
        if self.taken == self.events.len() {
            self.events.clear();
            self.taken = 0;
        }
        Some(queued)
    }

    pub(crate) fn len(&self) -> usize {
        self.events.len() - self.taken
    }

    #[inline]
    fn push(&mut self, kind: Kind, index: u32, span: Span) {
        if self.events.len() == self.events.capacity() {
            self.make_room();
        }
        self.events.push(Queued { kind, index, span, position: self.now });
    }

    /// Events that the caller has taken make room, so that one who never drains to the end stays bounded too.
    #[cold]
    fn make_room(&mut self) {
        if self.taken > self.events.len() / 2 {
            self.events.drain(..self.taken);
            self.taken = 0;
        } else if self.events.is_empty() {
            // A push has rarely more than two, and there may be many parsers.
            self.events.reserve_exact(2);
        }
    }

    pub(crate) fn message_start(&mut self, channel: Channel, recipient: Option<Span>) {
        let index = u32::from(recipient.is_some());
        self.push(Kind::MessageStart(channel), index, recipient.unwrap_or_default());
    }

    #[inline]
    pub(crate) fn content(&mut self, text: Span) {
        self.push(Kind::Content, 0, text);
    }

    #[inline]
    pub(crate) fn reasoning(&mut self, text: Span) {
        self.push(Kind::Reasoning, 0, text);
    }

    /// `name` is the end of `recipient`.
    pub(crate) fn call_start(&mut self, index: u32, name: Span, recipient: Span) {
        let prefix = if name.start == recipient.start { 0 } else { "functions.".len() as u8 };
        self.push(Kind::ToolCallStart(prefix), index, recipient);
    }

    #[inline]
    pub(crate) fn arguments(&mut self, index: u32, text: Span) {
        self.push(Kind::ToolCallArguments, index, text);
    }

    pub(crate) fn call_end(&mut self, index: u32, arguments: Span, status: Status) {
        self.push(Kind::ToolCallEnd(status), index, arguments);
    }

    pub(crate) fn message_end(&mut self, end: MessageEnd) {
        self.push(Kind::MessageEnd(end), 0, Span::default());
    }

    pub(crate) fn deviation(&mut self, kind: DeviationKind, dropped: Span) {
        self.push(Kind::Deviation(kind), 0, dropped);
    }

    pub(crate) fn rollback(&mut self) {
        self.push(Kind::Rollback, 0, Span::default());
    }

    pub(crate) fn finish(&mut self) {
        self.push(Kind::Finish, 0, Span::default());
    }
}
