//! Whole messages: which text of a block is searched, and what becomes of the message.

use alloc::borrow::Cow;
use alloc::string::String;

use super::detect::{DetectOptions, detect};
use super::recover::{Registry, recover, removed};
use super::signal::{Detection, Surface};
use crate::{json, json_text};

/// One block of a finished message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Block<'a> {
    /// Visible text.
    Text(&'a str),
    /// The chain of thought.
    Thinking(&'a str),
    /// A tool call.
    ToolCall(ToolCall<'a>),
    /// Anything else; it is not searched, but counts as a block.
    Other,
}

/// A tool call in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolCall<'a> {
    /// Its id.
    pub id: &'a str,
    /// The tool.
    pub name: &'a str,
    /// Its arguments as JSON text. If they have a string `input`, that is searched, else the JSON text without its
    /// white space. An empty text if there are none.
    pub arguments: &'a str,
}

impl<'a> ToolCall<'a> {
    /// The argument `input`, if it is a string.
    pub fn input(&self) -> Option<String> {
        let arguments = self.object()?;
        json_text::string(json_text::member(arguments, "input")?)
    }

    /// The text that is searched, and that offsets count in: `input`, or the arguments as compact JSON. Arguments that
    /// are no JSON object are searched as they are.
    pub fn searched(&self) -> Cow<'a, str> {
        match (self.input(), self.object()) {
            (Some(input), _) => Cow::Owned(input),
            (None, Some(object)) => Cow::Owned(json_text::compact(object)),
            (None, None) => Cow::Borrowed(self.arguments),
        }
    }

    fn object(&self) -> Option<&'a str> {
        let arguments = self.arguments.trim_matches([' ', '\t', '\n', '\r']);
        json::is_object(arguments.as_bytes()).then_some(arguments)
    }
}

impl<'a> Block<'a> {
    /// The text that is searched, and that offsets count in.
    pub fn searched(&self) -> Cow<'a, str> {
        match self {
            Block::Text(text) | Block::Thinking(text) => Cow::Borrowed(text),
            Block::ToolCall(call) => call.searched(),
            Block::Other => Cow::Borrowed(""),
        }
    }
}

/// Searches the blocks in order; the first detection.
///
/// `parsed_end` tells, for the block with this index, where a valid parse of the searched text ends; without that a
/// tool call is not searched.
///
/// ```
/// use harmony_stream::leak::{detect_in_message, Block, ToolCall};
/// let arguments = r#"{"input": "print(1)\nuser to=functions.eval code"}"#;
/// let blocks =
///     [Block::Text("Running it."), Block::ToolCall(ToolCall { id: "c1", name: "eval", arguments })];
/// let detection = detect_in_message(&blocks, |_, call| call.input()?.find('\n')).unwrap();
/// assert_eq!((detection.content_index, detection.label().as_str()), (Some(1), "M+C+T"));
/// assert_eq!(detect_in_message(&blocks, |_, _| None), None);
/// ```
pub fn detect_in_message(
    blocks: &[Block<'_>],
    mut parsed_end: impl FnMut(usize, &ToolCall<'_>) -> Option<usize>,
) -> Option<Detection> {
    blocks.iter().enumerate().find_map(|(index, block)| {
        let options = DetectOptions::new().content_index(index);
        let (surface, options) = match block {
            Block::Text(_) => (Surface::Text, options),
            Block::Thinking(_) => (Surface::Thinking, options),
            Block::ToolCall(call) => {
                (Surface::ToolArg, options.tool(call.name, call.id).parsed_end(parsed_end(index, call)?))
            }
            Block::Other => return None,
        };
        detect(&*block.searched(), surface, &options)
    })
}

/// A tool call without the leak.
///
/// It stands alone in its message: drop all other blocks, and let the message stop for tool use. Drop opaque payloads
/// of the provider too (encrypted reasoning): nobody can tell whether they are clean. Answer with the tool's result
/// and [`CONTINUATION`](super::CONTINUATION).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RecoveredCall {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What takes the place of the argument `input`; other arguments stay.
    pub clean: String,
    /// What was taken away, for the audit event.
    pub removed: String,
}

/// Recovers the tool call that the detection is in; `None` where [`recover`] gives none, and where the arguments have
/// no string `input`.
///
/// ```
/// use harmony_stream::leak::{detect_in_message, recover_message, Block, Registry, ToolCall};
/// let arguments = r#"{"input": "print(1)\nuser to=functions.eval code"}"#;
/// let blocks = [Block::ToolCall(ToolCall { id: "c1", name: "eval", arguments })];
/// let detection = detect_in_message(&blocks, |_, _| Some(9)).unwrap();
/// let call = recover_message(&blocks, &detection, &Registry::default()).unwrap();
/// assert_eq!((call.id.as_str(), call.clean.as_str()), ("c1", "print(1)\n*** Abort\n"));
/// ```
pub fn recover_message(
    blocks: &[Block<'_>],
    detection: &Detection,
    registry: &Registry,
) -> Option<RecoveredCall> {
    let Block::ToolCall(call) = blocks.get(detection.content_index?)? else { return None };
    let input = call.input()?;
    let recovered = recover(&input, detection, registry)?;
    Some(RecoveredCall {
        id: call.id.into(),
        name: call.name.into(),
        removed: recovered.removed.into(),
        clean: recovered.clean,
    })
}

/// What is lost when the whole message is thrown away: the block's searched text from the first signal on.
pub fn removed_from_message(blocks: &[Block<'_>], detection: &Detection) -> String {
    let block = detection.content_index.and_then(|index| blocks.get(index));
    block.map_or_else(String::new, |block| removed(&block.searched(), detection).into())
}
