//! What a parser may be told.

use crate::mark::Mark;

/// What a deviation from the grammar does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// The whole text comes back unchanged, as content, and [`Finish`](crate::Finish) says why.
    #[default]
    Verbatim,
    /// It is repaired and reported; nothing that was emitted is ever taken back.
    Recover,
}

/// What makes a message a tool call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Routing {
    /// `to=functions.NAME` on the commentary channel.
    #[default]
    CommentaryFunctions,
    /// Any recipient (`to=python` too) on any channel but final.
    AnyRecipient,
}

/// Where the stream begins: what the prompt already held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Start {
    /// Before the first message, whatever it is.
    #[default]
    Detect,
    /// Behind `<|start|>assistant`, which the prompt ended with.
    AssistantHeader,
    /// In the body of a reasoning message.
    AnalysisBody,
    /// In the body of an answer.
    FinalBody,
}

/// How control tokens come in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Input {
    /// Spelled out in the text.
    #[default]
    Text,
    /// Through [`push_control`](crate::Parser::push_control); text is never searched for them.
    Tokens,
}

/// How to parse. [`default`](Options::default) is the reference, [`lenient`](Options::lenient) what a live server wants.
///
/// ```
/// use harmony_stream::{Input, Options};
/// let options = Options::lenient().input(Input::Tokens).max_bytes(1 << 20);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    pub(crate) policy: Policy,
    pub(crate) routing: Routing,
    pub(crate) start: Start,
    pub(crate) input: Input,
    pub(crate) max_bytes: Mark,
}

impl Options {
    /// [`Policy::Recover`] and [`Routing::AnyRecipient`].
    pub fn lenient() -> Options {
        Options { policy: Policy::Recover, routing: Routing::AnyRecipient, ..Options::default() }
    }

    /// Sets what a deviation does.
    pub fn policy(mut self, policy: Policy) -> Options {
        self.policy = policy;
        self
    }

    /// Sets what makes a message a tool call.
    pub fn routing(mut self, routing: Routing) -> Options {
        self.routing = routing;
        self
    }

    /// Sets where the stream begins.
    pub fn start(mut self, start: Start) -> Options {
        self.start = start;
        self
    }

    /// Sets how control tokens come in.
    pub fn input(mut self, input: Input) -> Options {
        self.input = input;
        self
    }

    /// Limits the transcript to this many bytes: a push that would pass it is refused and changes nothing.
    pub fn max_bytes(mut self, bytes: usize) -> Options {
        self.max_bytes = Mark::at(bytes);
        self
    }
}
