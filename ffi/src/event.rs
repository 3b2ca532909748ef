//! Events as C sees them: numbers only.

use harmony::{Channel, Event, Finish, Span};

use crate::numbers::*;

/// An event. 40 bytes everywhere and no pointers, so an array of them may live on any language's heap.
///
/// Its text is `length` bytes at `harmony_stream_text(stream, NULL) + offset`, or harmony_event_text. Texts are whole
/// UTF-8 sequences as long as the input is UTF-8, they are not terminated by NUL, and they may hold NULs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct harmony_event {
    /// HARMONY_EVENT_; skip kinds that you don't know.
    pub kind: u32,
    /// HARMONY_CHANNEL_: of the message that the event belongs to.
    pub channel: u32,
    /// Which tool call, from 0. In HARMONY_EVENT_FINISH: HARMONY_END_.
    pub index: u32,
    /// Depends on the kind, 0 in most.
    pub code: u32,
    /// Where the text begins, in bytes from the beginning of the stream.
    pub offset: u64,
    /// Length of the text in bytes, 0 if there is none.
    pub length: u64,
    /// How many bytes of the stream had come before the event became certain.
    pub position: u64,
}

const _: () = assert!(size_of::<harmony_event>() == 40);

/// Writes events, and knows which message they belong to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Writer {
    channel: Channel,
}

impl Writer {
    #[inline]
    pub(crate) fn event(&mut self, event: Event<Span>, position: usize) -> harmony_event {
        match event {
            Event::MessageStart { channel, .. } => self.channel = channel,
            Event::Rollback => self.channel = Channel::None,
            _ => {}
        }
        let event = harmony_event {
            channel: channel_number(self.channel),
            position: position as u64,
            ..numbers(event)
        };
        if event.kind == HARMONY_EVENT_MESSAGE_END {
            self.channel = Channel::None;
        }
        event
    }
}

/// What belongs to the event alone.
#[inline]
fn numbers(event: Event<Span>) -> harmony_event {
    match event {
        Event::Content { text } => with_text(HARMONY_EVENT_CONTENT, 0, 0, text),
        Event::Reasoning { text } => with_text(HARMONY_EVENT_REASONING, 0, 0, text),
        Event::ToolCallArguments { index, text } => {
            with_text(HARMONY_EVENT_TOOL_CALL_ARGUMENTS, index, 0, text)
        }
        Event::MessageStart { recipient, .. } => {
            with_text(HARMONY_EVENT_MESSAGE_START, 0, 0, recipient.unwrap_or_default())
        }
        Event::ToolCallStart { index, name, recipient } => {
            let prefix = name.start - recipient.start;
            with_text(HARMONY_EVENT_TOOL_CALL_START, index, prefix as u32, name)
        }
        Event::ToolCallEnd { index, arguments, status } => {
            with_text(HARMONY_EVENT_TOOL_CALL_END, index, call_number(status), arguments)
        }
        Event::MessageEnd { end } => {
            with_text(HARMONY_EVENT_MESSAGE_END, 0, end_number(end), Span::default())
        }
        Event::Deviation { kind, dropped, .. } => {
            with_text(HARMONY_EVENT_DEVIATION, 0, deviation_number(kind), dropped)
        }
        Event::Rollback => with_text(HARMONY_EVENT_ROLLBACK, 0, 0, Span::default()),
        Event::Finish(finish) => finished(&finish),
        // Kind 0 is one that nobody knows, so everybody skips it.
        _ => harmony_event::default(),
    }
}

#[inline]
fn with_text(kind: u32, index: u32, code: u32, text: Span) -> harmony_event {
    let (offset, length) = (text.start as u64, text.len() as u64);
    harmony_event { kind, index, code, offset, length, ..harmony_event::default() }
}

fn finished(finish: &Finish) -> harmony_event {
    harmony_event {
        kind: HARMONY_EVENT_FINISH,
        index: finish.last_end.map_or(0, end_number),
        code: finish.failure.map_or(0, |failure| deviation_number(failure.kind)),
        offset: finish.failure.map_or(0, |failure| failure.offset as u64),
        ..harmony_event::default()
    }
}
