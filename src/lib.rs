//! Splits the *harmony* text of gpt-oss models into reasoning, tool calls and answer while it streams.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod control;
mod event;
mod json;
mod options;
mod text;
mod whitespace;

pub use control::Control;
pub use event::{Bytes, Channel, DeviationKind, Event, Failure, Finish, MessageEnd, Span, Status};
pub use options::{Input, Options, Policy, Routing, Start};
pub use text::Text;
