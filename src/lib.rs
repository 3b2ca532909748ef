//! Splits the *harmony* text of gpt-oss models into reasoning, tool calls and answer while it streams.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod control;
mod event;
mod header;
mod json;
mod lexer;
mod machine;
#[cfg(feature = "openai")]
pub mod openai;
mod options;
mod parse;
mod parsed;
mod parser;
mod punctuation;
mod queue;
mod stranded;
mod text;
mod whitespace;
mod words;

pub use control::Control;
pub use event::{Bytes, Channel, DeviationKind, Event, Failure, Finish, MessageEnd, Span, Status};
pub use options::{Input, Options, Policy, Routing, Start};
pub use parse::{is_harmony, parse, parse_with};
pub use parsed::{Collector, Parsed, ToolCall};
pub use parser::{Error, Events, Parser};
pub use text::Text;
