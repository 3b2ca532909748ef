//! Splits the *harmony* text of gpt-oss models into reasoning, tool calls and answer while it streams.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod control;
mod event;
mod json;
mod json_text;
pub mod leak;
mod options;
pub mod structured;
mod text;
mod whitespace;

pub use control::Control;
pub use event::{Bytes, Channel, DeviationKind, Event, Failure, Finish, MessageEnd, Span, Status};
pub use options::{Input, Options, Policy, Routing, Start};
pub use text::Text;

/// The pages under `docs/` whose examples run.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/leaks.md")]
    struct Leaks;
    #[doc = include_str!("../docs/structured.md")]
    struct Structured;
}
