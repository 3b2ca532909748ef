//! What a parser says while text comes in.

use core::fmt;

/// A half-open byte range of the transcript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    pub(crate) const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// How many bytes it holds.
    pub const fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it holds none.
    pub const fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// The channel that a message's header names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Channel {
    /// No channel at all; the body is content.
    #[default]
    None,
    /// Chain of thought.
    Analysis,
    /// Tool calls, and content that accompanies them.
    Commentary,
    /// The answer.
    Final,
    /// A name that is none of these (under [`Policy::Recover`](crate::Policy) only); the body is content.
    Other,
}

/// How complete the arguments of a tool call are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Status {
    /// They are one JSON object. Only such a call may be run.
    Complete,
    /// The call was closed, but its arguments are no JSON object.
    Malformed,
    /// The stream ended first.
    Incomplete,
}

/// How a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum MessageEnd {
    /// By `<|end|>`.
    End,
    /// By `<|return|>`.
    Return,
    /// By `<|call|>`.
    Call,
    /// By the header of the next message.
    NextHeader,
    /// The stream ended, without a token that closes the message.
    EndOfStream,
}

/// What is wrong with a text. Under [`Policy::Verbatim`](crate::Policy) the first one fails the parse, under
/// [`Policy::Recover`](crate::Policy) each is repaired, as said here, and reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DeviationKind {
    /// The stream ended without a message; its text is content.
    NoMessage,
    /// Text where a message should begin; it is content.
    StrayText,
    /// A terminator where nothing is open; it is dropped.
    StrayTerminator,
    /// `<|constrain|>` outside a header; it is dropped, with its format word.
    StrayConstrain,
    /// `<|message|>` without a header; its body is content.
    MissingHeader,
    /// `<|start|>` is missing before a header; the header is taken.
    MissingStart,
    /// `<|start|>` twice; once is enough.
    RepeatedStart,
    /// Header fields in another order, or doubled; the last channel decides.
    HeaderOrder,
    /// The header names no known channel; the one that its word begins with decides, else the body is content.
    UnknownChannel,
    /// A header that never reaches `<|message|>`; its text is routed by its channel.
    StrandedHeader,
    /// More than 1,024 bytes of header text; the body begins there.
    LongHeader,
    /// Header text that belongs nowhere; it is dropped.
    DroppedText,
    /// `<|channel|>` in a body; it begins the next message.
    ChannelInBody,
    /// A control token in a body that quotes nothing; it is dropped.
    DroppedMarker,
    /// A control token that may not be quoted, before text; it stays in the body.
    QuotedMarker,
    /// `<|message|>` at the very start of a body; it is dropped.
    RepeatedMessage,
    /// The stream ended in a body that needs a terminator; its text stays.
    Unterminated,
    /// Arguments that are no JSON object; they are passed on, and the call is malformed.
    MalformedArguments,
    /// The stream ended in the arguments; the call is incomplete.
    IncompleteArguments,
    /// A complete call that something other than `<|call|>` closed; it is complete.
    WrongTerminator,
}

impl DeviationKind {
    /// All kinds, in the order of their numbers in C.
    pub const ALL: [DeviationKind; 20] = [
        DeviationKind::NoMessage,
        DeviationKind::StrayText,
        DeviationKind::StrayTerminator,
        DeviationKind::StrayConstrain,
        DeviationKind::MissingHeader,
        DeviationKind::MissingStart,
        DeviationKind::RepeatedStart,
        DeviationKind::HeaderOrder,
        DeviationKind::UnknownChannel,
        DeviationKind::StrandedHeader,
        DeviationKind::LongHeader,
        DeviationKind::DroppedText,
        DeviationKind::ChannelInBody,
        DeviationKind::DroppedMarker,
        DeviationKind::QuotedMarker,
        DeviationKind::RepeatedMessage,
        DeviationKind::Unterminated,
        DeviationKind::MalformedArguments,
        DeviationKind::IncompleteArguments,
        DeviationKind::WrongTerminator,
    ];

    /// Its name as it appears in JSON, for logs and metrics: `"stray_text"`.
    pub const fn name(self) -> &'static str {
        match self {
            DeviationKind::NoMessage => "no_message",
            DeviationKind::StrayText => "stray_text",
            DeviationKind::StrayTerminator => "stray_terminator",
            DeviationKind::StrayConstrain => "stray_constrain",
            DeviationKind::MissingHeader => "missing_header",
            DeviationKind::MissingStart => "missing_start",
            DeviationKind::RepeatedStart => "repeated_start",
            DeviationKind::HeaderOrder => "header_order",
            DeviationKind::UnknownChannel => "unknown_channel",
            DeviationKind::StrandedHeader => "stranded_header",
            DeviationKind::LongHeader => "long_header",
            DeviationKind::DroppedText => "dropped_text",
            DeviationKind::ChannelInBody => "channel_in_body",
            DeviationKind::DroppedMarker => "dropped_marker",
            DeviationKind::QuotedMarker => "quoted_marker",
            DeviationKind::RepeatedMessage => "repeated_message",
            DeviationKind::Unterminated => "unterminated",
            DeviationKind::MalformedArguments => "malformed_arguments",
            DeviationKind::IncompleteArguments => "incomplete_arguments",
            DeviationKind::WrongTerminator => "wrong_terminator",
        }
    }

    /// What is wrong, in words that complete "at byte N: ...".
    pub const fn message(self) -> &'static str {
        match self {
            DeviationKind::NoMessage => "the stream ended without a harmony message",
            DeviationKind::StrayText => "text stands where a message should begin",
            DeviationKind::StrayTerminator => "a terminator stands where no message is open",
            DeviationKind::StrayConstrain => "<|constrain|> stands outside a header",
            DeviationKind::MissingHeader => "<|message|> has no header before it",
            DeviationKind::MissingStart => "a header begins without <|start|>",
            DeviationKind::RepeatedStart => "<|start|> is repeated",
            DeviationKind::HeaderOrder => "the fields of the header are doubled or out of order",
            DeviationKind::UnknownChannel => "the header names no known channel",
            DeviationKind::StrandedHeader => "the header never reaches <|message|>",
            DeviationKind::LongHeader => "the header has more than 1,024 bytes of text",
            DeviationKind::DroppedText => "text in the header belongs nowhere",
            DeviationKind::ChannelInBody => "<|channel|> stands in a body",
            DeviationKind::DroppedMarker => {
                "a control token in a body stands before no text that it could belong to"
            }
            DeviationKind::QuotedMarker => {
                "a control token that may not stand in this body is followed by text"
            }
            DeviationKind::RepeatedMessage => "<|message|> is repeated",
            DeviationKind::Unterminated => "the stream ended in a body that needs a terminator",
            DeviationKind::MalformedArguments => "the arguments of the call are no JSON object",
            DeviationKind::IncompleteArguments => "the stream ended in the arguments of a call",
            DeviationKind::WrongTerminator => "a complete call is not closed by <|call|>",
        }
    }
}

/// Why a parse failed, and where: the offset of the character or control token that proved it, or the transcript's
/// length if its end did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Failure {
    /// What is wrong.
    pub kind: DeviationKind,
    /// Byte offset in the transcript.
    pub offset: usize,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.kind.message())
    }
}

impl core::error::Error for Failure {}

/// Bytes of body text (content, reasoning and arguments together) by the channel they came on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bytes {
    /// On analysis.
    pub analysis: usize,
    /// On commentary.
    pub commentary: usize,
    /// On final.
    pub r#final: usize,
    /// On no channel, on an unknown one, and outside messages.
    pub other: usize,
}

impl Bytes {
    pub(crate) fn of(&mut self, channel: Channel) -> &mut usize {
        match channel {
            Channel::Analysis => &mut self.analysis,
            Channel::Commentary => &mut self.commentary,
            Channel::Final => &mut self.r#final,
            Channel::None | Channel::Other => &mut self.other,
        }
    }
}

/// How the stream ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Finish {
    /// Why the whole transcript came back as content; `None` if it did not.
    pub failure: Option<Failure>,
    /// How the last message ended; `None` if there was none.
    pub last_end: Option<MessageEnd>,
    /// How many deviations were repaired.
    pub deviations: u64,
    /// Where the text went.
    pub bytes: Bytes,
}

/// One event. `P` is how a piece of text is given: `&str`, `&[u8]`, or its [`Span`] in the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "event", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Event<P> {
    /// A header is complete.
    MessageStart {
        /// The channel it names.
        channel: Channel,
        /// Whom it is for, if it says so: `functions.NAME`; with [`Routing::AnyRecipient`](crate::Routing::AnyRecipient)
        /// any other name too, such as `python`.
        recipient: Option<P>,
    },
    /// The next piece of the answer.
    Content {
        /// The piece.
        text: P,
    },
    /// The next piece of the chain of thought.
    Reasoning {
        /// The piece.
        text: P,
    },
    /// A tool call; arguments follow.
    ToolCallStart {
        /// Counts the calls of the stream, from 0.
        index: u32,
        /// The tool's name, without `functions.`.
        name: P,
        /// The recipient as it was written.
        recipient: P,
    },
    /// The next piece of a call's arguments.
    ToolCallArguments {
        /// Which call.
        index: u32,
        /// The piece; white space around the arguments is not part of it.
        text: P,
    },
    /// The end of a call's arguments.
    ToolCallEnd {
        /// Which call.
        index: u32,
        /// All of the arguments.
        arguments: P,
        /// Whether they are complete. Run no other call.
        status: Status,
    },
    /// The end of a message.
    MessageEnd {
        /// What ended it.
        end: MessageEnd,
    },
    /// Something was repaired or dropped ([`Policy::Recover`](crate::Policy) only).
    Deviation {
        /// What.
        kind: DeviationKind,
        /// Where, in bytes of the transcript.
        offset: usize,
        /// The text that is in no other event because of it; often empty.
        dropped: P,
    },
    /// Forget every event so far: the whole transcript follows as content ([`Policy::Verbatim`](crate::Policy) only).
    Rollback,
    /// The end: always last, exactly once.
    Finish(Finish),
}

impl<P> Event<P> {
    /// The same event, its pieces given another way.
    pub fn map<Q>(self, mut piece: impl FnMut(P) -> Q) -> Event<Q> {
        match self {
            Event::MessageStart { channel, recipient } => {
                Event::MessageStart { channel, recipient: recipient.map(piece) }
            }
            Event::Content { text } => Event::Content { text: piece(text) },
            Event::Reasoning { text } => Event::Reasoning { text: piece(text) },
            Event::ToolCallStart { index, name, recipient } => {
                Event::ToolCallStart { index, name: piece(name), recipient: piece(recipient) }
            }
            Event::ToolCallArguments { index, text } => Event::ToolCallArguments { index, text: piece(text) },
            Event::ToolCallEnd { index, arguments, status } => {
                Event::ToolCallEnd { index, arguments: piece(arguments), status }
            }
            Event::MessageEnd { end } => Event::MessageEnd { end },
            Event::Deviation { kind, offset, dropped } => {
                Event::Deviation { kind, offset, dropped: piece(dropped) }
            }
            Event::Rollback => Event::Rollback,
            Event::Finish(finish) => Event::Finish(finish),
        }
    }
}
