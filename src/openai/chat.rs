//! Chat completion chunks of OpenAI-compatible servers, as server-sent events.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::LazyCell;

use super::filter::{Data, Filter, Turn, Wire};
use super::finish::call_id;
use super::line::Fate;
use super::object::{Object, list, quoted};
use super::pieces::{Calls, Piece};
use super::{Settings, Summary, sse};

/// Splits the harmony text in a stream of OpenAI-compatible chat completion chunks (`data: {...}`).
///
/// Bytes may be cut anywhere. What goes out is described in the [module's page](super).
///
/// ```
/// use harmony_stream::openai::{ChatFilter, Settings};
///
/// let mut filter = ChatFilter::new(Settings::default());
/// let mut out = Vec::new();
/// for text in ["<|channel|>analysis<|message|>Hm.<|end|><|start|>", "assistant<|channel|>final<|message|>Noon."] {
///     let chunk = format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n");
///     filter.push(chunk.as_bytes(), &mut out);
/// }
/// let summary = filter.finish(&mut out);
/// assert_eq!(
///     String::from_utf8(out)?,
///     "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"Hm.\"}}]}\n\n\
///      data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Noon.\"}}]}\n\n",
/// );
/// assert_eq!((summary.split, summary.all_deviations()), (1, 0));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
#[derive(Debug)]
pub struct ChatFilter {
    filter: Filter<Chat>,
}

impl ChatFilter {
    /// A filter for one response.
    pub fn new(settings: Settings) -> ChatFilter {
        ChatFilter { filter: Filter::new(settings) }
    }

    /// Takes the next bytes of the response, and appends what goes out because of them.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.filter.push(bytes, out);
    }

    /// Ends the response, and appends what was held back.
    pub fn finish(self, out: &mut Vec<u8>) -> Summary {
        self.filter.finish(out)
    }

    /// What was found so far.
    pub fn summary(&self) -> Summary {
        self.filter.summary()
    }
}

/// The members of a chunk of which none is missed where there are no choices.
const MEMBERS: &[&str] =
    &["choices", "id", "object", "created", "model", "system_fingerprint", "service_tier"];

/// Those that say which response it belongs to.
const ORIGIN: &[&str] = MEMBERS.split_at(1).1;

#[derive(Debug)]
pub(crate) struct Chat;

/// A chunk, and the choices in it.
pub(crate) struct Chunk<'a> {
    object: Object<'a>,
    choices: Vec<Choice<'a>>,
}

struct Choice<'a> {
    object: Object<'a>,
    index: u64,
    delta: Object<'a>,
    text: String,
    reason: Option<String>,
}

impl Wire for Chat {
    const CALLS: Calls = Calls::Pieces;
    const END: &'static [u8] = b"\n\n";
    type Scan = sse::Scan;
    type Message<'a> = Chunk<'a>;

    fn end(scan: &mut sse::Scan, bytes: &[u8]) -> Option<usize> {
        scan.end(bytes)
    }

    fn forget(scan: &mut sse::Scan) {
        scan.forget();
    }

    fn data(event: &[u8]) -> Option<Cow<'_, [u8]>> {
        sse::data(event)
    }

    fn read(data: &[u8]) -> Data<Chunk<'_>> {
        if data.trim_ascii() == b"[DONE]" {
            return Data::Done;
        }
        let Ok(object) = serde_json::from_slice::<Object<'_>>(data) else { return Data::Unreadable };
        let Some(choices) = object.parse::<Vec<Object<'_>>>("choices") else {
            // Clients read no further than an error.
            return if object.says("error") { Data::Done } else { Data::Other };
        };
        let choices: Option<Vec<Choice<'_>>> = choices.into_iter().enumerate().map(Choice::new).collect();
        let Some(choices) = choices else { return Data::Unreadable };
        let mut seen = BTreeSet::new();
        if !choices.iter().all(|choice| seen.insert(choice.index)) {
            return Data::Unreadable;
        }
        Data::Message(Chunk { object, choices })
    }

    fn turns<'m>(chunk: &'m Chunk<'_>) -> Vec<Turn<'m>> {
        chunk.choices.iter().map(Choice::turn).collect()
    }

    /// All pieces but the last go out in events of their own; the last one, the finish reason and whatever else is
    /// in the chunk stay together, unless nothing is left of it.
    fn write(chunk: &Chunk<'_>, event: &[u8], fates: Vec<Fate>, settings: &Settings, out: &mut Vec<u8>) {
        let mut missed = !chunk.object.only(MEMBERS);
        let mut choices = Vec::new();
        // Most events have one piece, and need none like them.
        let (like, origin) = (LazyCell::new(|| sse::Like::new(event)), chunk.origin());
        for (choice, fate) in chunk.choices.iter().zip(fates) {
            let Fate::Split { mut pieces, reason } = fate else {
                missed = true;
                choices.push(choice.object.json());
                continue;
            };
            let last = pieces.pop();
            let mut delta = choice.delta.clone();
            delta.take("content");
            let mut role = if pieces.is_empty() { None } else { delta.take("role") };
            for piece in &pieces {
                like.write(&origin.with(choice.index, role.take(), piece, settings), out);
            }
            if let Some(piece) = &last {
                origin.say(choice.index, piece, &mut delta, settings);
            }
            let rest = choice.with(&delta, reason);
            missed |= !delta.only(&[]) || !rest.only(&["index", "delta"]);
            choices.push(rest.json());
        }
        if missed {
            let mut object = chunk.object.clone();
            object.set("choices", list(&choices));
            sse::replace(event, &object.json(), out);
        }
    }

    fn add(chunk: &Chunk<'_>, choice: u64, pieces: &[Piece], settings: &Settings, out: &mut Vec<u8>) {
        let (like, origin) = (sse::Like::new(b""), chunk.origin());
        pieces.iter().for_each(|piece| like.write(&origin.with(choice, None, piece, settings), out));
    }
}

impl<'a> Choice<'a> {
    /// `None`: its text is no Unicode, or its index none.
    fn new((at, object): (usize, Object<'a>)) -> Option<Choice<'a>> {
        let index = match object.get("index") {
            None | Some("null") => at as u64,
            Some(index) => index.parse().ok()?,
        };
        let delta: Object<'_> = object.parse("delta").unwrap_or_default();
        let text = delta.text("content")?;
        let reason = object.text("finish_reason").filter(|reason| !reason.is_empty());
        Some(Choice { object, index, delta, text, reason })
    }

    /// The same with another delta and finish reason.
    fn with(&self, delta: &Object<'_>, reason: Option<&str>) -> Object<'a> {
        let mut object = self.object.clone();
        object.set("delta", delta.json());
        if let Some(reason) = reason {
            object.set("finish_reason", quoted(reason));
        }
        object
    }

    fn turn(&self) -> Turn<'_> {
        Turn {
            choice: self.index,
            text: &self.text,
            structured: is_structured(&self.delta),
            reason: self.reason.as_deref(),
        }
    }
}

/// Whether the upstream has split this message (or piece of one) itself.
pub(crate) fn is_structured(message: &Object<'_>) -> bool {
    ["tool_calls", "function_call", "reasoning_content", "reasoning"].iter().any(|name| message.says(name))
}

/// What tells one response from another, for the ids of calls.
pub(crate) fn source(response: &Object<'_>) -> String {
    format!("{}\n{}", response.get("id").unwrap_or_default(), response.get("created").unwrap_or_default())
}

/// A tool call, or the beginning of one.
pub(crate) fn call(id: &str, name: &str, arguments: &str) -> String {
    let (id, name, arguments) = (quoted(id), quoted(name), quoted(arguments));
    format!(r#""id":{id},"type":"function","function":{{"name":{name},"arguments":{arguments}}}"#)
}

impl<'a> Chunk<'a> {
    /// What other chunks of the same response have of it.
    fn origin(&self) -> Origin<'a> {
        Origin { object: self.object.pick(ORIGIN) }
    }
}

/// The members of a chunk that say which response it belongs to.
struct Origin<'a> {
    object: Object<'a>,
}

impl Origin<'_> {
    /// A chunk with one choice, which says a piece and nothing else.
    fn with(&self, index: u64, role: Option<Cow<'_, str>>, piece: &Piece, settings: &Settings) -> String {
        let mut delta = Object::default();
        if let Some(role) = role {
            delta.set("role", role.into_owned());
        }
        self.say(index, piece, &mut delta, settings);
        let choice = format!(r#"{{"index":{index},"delta":{},"finish_reason":null}}"#, delta.json());
        let mut object = self.object.clone();
        object.set("choices", list(&[choice]));
        object.json()
    }

    /// Puts a piece into a delta.
    fn say(&self, choice: u64, piece: &Piece, delta: &mut Object<'_>, settings: &Settings) {
        match piece {
            Piece::Content(text) => delta.set("content", quoted(text)),
            Piece::Reasoning(text) => delta.set(settings.reasoning.name(), quoted(text)),
            Piece::Call { index, name, arguments } => {
                let call = match name {
                    Some(name) => call(&call_id(&source(&self.object), choice, *index), name, arguments),
                    None => format!(r#""function":{{"arguments":{}}}"#, quoted(arguments)),
                };
                delta.set("tool_calls", list(&[format!(r#"{{"index":{index},{call}}}"#)]));
            }
        }
    }
}
