//! Filters for the responses of inference servers that leave harmony markup in their text (feature `openai`).
//!
//! | what a server answers | streamed | whole |
//! | --- | --- | --- |
//! | OpenAI-compatible chat completions (vLLM, llama.cpp, SGLang, LM Studio, ...) | [`ChatFilter`] | [`chat_body`] |
//! | Ollama's `/api/chat` | [`OllamaFilter`] | [`ollama_body`] |
//!
//! A filter takes the bytes of one response however they were cut, and gives out the bytes that a client should
//! see. It does no input or output of its own, so it fits into any server. Text completions (`choices[].text`,
//! `/api/generate`) have no place for reasoning and calls; they pass through.
//!
//! # What goes out
//!
//! * `delta.content` is the answer only. Reasoning is in `delta.reasoning_content` (or
//!   [`reasoning`](ReasoningField), Ollama: `message.thinking`), calls are in `delta.tool_calls`: `index`, `id`,
//!   `type` and `function.name` once, `function.arguments` piece by piece. A delta has one of the three.
//! * A chunk that becomes several deltas goes out as several events. The last one has all that was in the chunk
//!   (`usage`, `logprobs`, ...); those before it have only the members that say which response it is, and the first
//!   has the role. A chunk of which nothing is left does not go out.
//! * `finish_reason` is `tool_calls` if there is a complete call and none that was cut, and the upstream says `stop`.
//!   `length` and any other reason stay. Ollama's `done_reason` stays.
//! * Ids of calls: `call_` and 24 hexadecimal digits, a hash of the response's `id` and `created`, the choice and
//!   the call. The same response always gives the same ids.
//! * Ollama takes arguments as an object, so calls go out whole once they are complete. One that is malformed or cut
//!   must not be run, and has no place there: it goes into `thinking`, as `to=RECIPIENT ARGUMENTS`. The OpenAI format
//!   has arguments as text; there it is a call like the others, and [`Summary`] tells how many are malformed or cut.
//! * A stream that ends without a finish reason has what was held back in events at its end: before `[DONE]`, an error,
//!   or a last line of Ollama's that has no message. No finish reason is made up.
//!
//! # What stays as it is, byte for byte
//!
//! * Responses without harmony, and each event whose text means itself. So that this is so, an event with text that
//!   may be the beginning of harmony (`<`) waits for the next one, and later events wait behind it.
//! * Choices that the upstream has split: from the first delta on that has `tool_calls`, `function_call`,
//!   `reasoning_content`, `reasoning` or Ollama's `thinking` of its own (empty ones don't count). Its calls keep their
//!   indexes, though calls that were split before may have the same; a `stop` behind those still becomes `tool_calls`.
//! * A byte order mark at the very beginning of a stream; the event or line behind it is read. Readers of server-sent
//!   events have to ignore the mark, and readers of JSON may.
//! * Members that are not concerned, comments, `[DONE]`, errors and unknown events, line ends of any kind, and data
//!   that is no JSON.
//! * Whatever exceeds a limit of the [`Settings`].
//!
//! # Policies
//!
//! [`Settings::default`] repairs what deviates from the grammar ([`Options::lenient`](crate::Options::lenient)), since
//! a client can't take text back. With [`Policy::Verbatim`](crate::Policy) text with harmony waits up to its finish
//! reason, and then goes out split or, if it failed, as it came. Comments do not wait in that case, so that
//! connections stay alive.

mod chat;
mod choice;
mod filter;
mod finish;
mod line;
mod object;
mod ollama;
mod pieces;
mod settings;
mod sse;
mod summary;
mod whole;

pub use chat::ChatFilter;
pub use ollama::OllamaFilter;
pub use settings::{ReasoningField, Settings};
pub use summary::{LimitHits, Summary};
pub use whole::{Body, chat_body, ollama_body};
