//! Splits the *harmony* text of gpt-oss models into reasoning, tool calls and answer while it streams.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod control;
mod escape;
mod event;
mod header;
mod json;
mod json_text;
pub mod leak;
mod lexer;
mod machine;
mod mark;
#[cfg(feature = "openai")]
pub mod openai;
mod options;
mod parse;
mod parsed;
mod parser;
mod punctuation;
mod queue;
mod stranded;
pub mod structured;
mod text;
mod whitespace;
mod wide;
mod words;

pub use control::Control;
pub use escape::{escape, unescape};
pub use event::{Bytes, Channel, DeviationKind, Event, Failure, Finish, MessageEnd, Span, Status};
pub use options::{Input, Options, Policy, Routing, Start};
pub use parse::{is_harmony, parse, parse_with};
pub use parsed::{Collector, Parsed, ToolCall};
pub use parser::{Error, Events, Parser};
pub use text::Text;

/// The pages under `docs/` whose examples run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/leaks.md")]
    struct Leaks;
    #[doc = include_str!("../docs/structured.md")]
    struct Structured;
}
