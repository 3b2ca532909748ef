//! Splits the *harmony* text of gpt-oss models into reasoning, tool calls and answer while it streams.
//!
//! Such a model writes a whole turn as one text:
//!
//! ```text
//! <|channel|>analysis<|message|>Need the weather.<|end|>
//! <|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>
//! ```
//!
//! A [`Parser`] takes it in chunks, cut anywhere, and gives [`Event`]s at once. Their text is borrowed from the
//! transcript, so nothing is copied twice.
//!
//! ```
//! use harmony_stream::{Event, Options, Parser, Status};
//!
//! let chunks = [
//!     "<|channel|>analysis<|mess", "age|>Need the weather.<|end|><|start|>assist",
//!     "ant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"ci",
//!     "ty\":\"Oslo\"}<|call|>",
//! ];
//! let mut parser = Parser::<str>::new(Options::lenient());
//! let mut reasoning = String::new();
//! let mut calls = Vec::new();
//! let mut take = |event: Event<&str>| match event {
//!     Event::Reasoning { text } => reasoning.push_str(text), // show it as it comes
//!     Event::ToolCallStart { name, .. } => calls.push((name.to_owned(), String::new())),
//!     Event::ToolCallEnd { index, arguments, status: Status::Complete } => {
//!         calls[index as usize].1.push_str(arguments); // now, and only now, it may be run
//!     }
//!     _ => {}
//! };
//! for chunk in chunks {
//!     parser.push(chunk)?.for_each(&mut take);
//! }
//! parser.finish()?.for_each(&mut take);
//! assert_eq!(reasoning, "Need the weather.");
//! assert_eq!(calls, [("weather".to_owned(), "{\"city\":\"Oslo\"}".to_owned())]);
//! # Ok::<(), harmony_stream::Error>(())
//! ```
//!
//! [`parse()`] splits a text that is there as a whole, and borrows from it; a [`Collector`] folds events into the same
//! result.
//!
//! ```
//! use harmony_stream::parse;
//!
//! let turn = parse("<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>42");
//! assert_eq!((&*turn.reasoning, &*turn.content), ("Easy.", "42"));
//!
//! // What breaks the grammar comes back unchanged, with the reason.
//! let broken = parse("<|channel|>final<|message|>42<|end|><|end|>");
//! assert_eq!(broken.content, "<|channel|>final<|message|>42<|end|><|end|>");
//! let why = broken.finish.failure.unwrap();
//! assert_eq!(why.to_string(), "at byte 36: a terminator stands where no message is open");
//! ```
//!
//! That is [`Policy::Verbatim`], the default: all or nothing. A live server, which can take nothing back, wants
//! [`Options::lenient`]: every deviation is repaired and reported. `docs/policies.md` in the repository shows each.
//!
//! # Tokens
//!
//! Text alone does not show whether `<|end|>` is a control token or a quotation. Who has token ids knows:
//!
//! ```
//! use harmony_stream::{Control, Event, Input, Options, Parser};
//!
//! let mut parser = Parser::<str>::new(Options::default().input(Input::Tokens));
//! let mut answer = String::new();
//! // Ids and the text of each, as a tokenizer gives them.
//! let tokens = [(200005, ""), (17196, "final"), (200008, ""), (17, "write <|end|> "), (18, "last"), (200002, "")];
//! for (id, text) in tokens {
//!     let events = match Control::from_token_id(id) {
//!         Some(control) => parser.push_control(control)?,
//!         None => parser.push(text)?, // never searched for markers
//!     };
//!     for event in events {
//!         if let Event::Content { text } = event {
//!             answer.push_str(text);
//!         }
//!     }
//! }
//! parser.finish()?;
//! assert_eq!(answer, "write <|end|> last");
//! # Ok::<(), harmony_stream::Error>(())
//! ```
//!
//! # Beside the parser
//!
//! * [`leak`] finds protocol text that leaked into visible output, thinking or tool arguments.
//! * [`structured`] picks a title, suggestions or queries out of a JSON answer that may be wrapped, or cut.
//! * [`escape()`] makes untrusted text harmless before it goes into a prompt.
//!
//! # Promises
//!
//! * **Verbatim or clean, never mangled.** No byte is lost and none is invented. The result does not depend on how the
//!   text was cut.
//! * **Prompt.** An event leaves with the first byte after which it cannot change; [`Parser::held`] tells how many
//!   bytes wait for what follows.
//! * **Linear.** O(1) amortised work a byte for every input and every chunking. Memory is the transcript and a constant
//!   (an idle parser takes 512 bytes at most), but for one bit a level of nesting in arguments. Once the buffers have
//!   grown a push allocates nothing, and [`Parser::reset`] keeps them. (One thing does: a header with more fields than
//!   any good one that never reaches its `<|message|>`.)
//! * **No surprise.** Every input has a result. Bad use is an [`Error`] that changes nothing. There is no `unsafe`.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `std` (the default) | markers are found with the best vector instructions of the processor; without it `alloc` is enough |
//! | `serde` | `Serialize` for events, results and detections |
//! | `openai` | the module `openai`: filters for what OpenAI-compatible servers and Ollama stream |
//! | `cli` | the program `harmony-stream` |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod block;
mod categories;
mod control;
mod escape;
mod event;
mod header;
mod json;
mod json_block;
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
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/leaks.md")]
    struct Leaks;
    #[doc = include_str!("../docs/policies.md")]
    struct Policies;
    #[doc = include_str!("../docs/structured.md")]
    struct Structured;
}
