//! Whole responses, for requests that do not stream.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::chat::{self, is_structured, source};
use super::choice::Choice;
use super::filter::{Data, Wire};
use super::finish::call_id;
use super::line::Fate;
use super::object::{Object, list, quoted};
use super::ollama::{self, Ollama};
use super::pieces::{Calls, Piece};
use super::{Settings, Summary};

/// A response body, and what was found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body<'a> {
    /// The body; borrowed if it is unchanged.
    pub json: Cow<'a, [u8]>,
    /// What was found.
    pub summary: Summary,
}

/// Splits the harmony text in a chat completion (`choices[].message.content`).
///
/// ```
/// use harmony_stream::openai::{Settings, chat_body};
///
/// let body = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":
///     "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon."},"finish_reason":"stop"}]}"#;
/// let split = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"Noon.","reasoning_content":"Hm."},"finish_reason":"stop"}]}"#;
/// assert_eq!(*chat_body(body, &Settings::default()).json, *split);
/// ```
pub fn chat_body<'a>(body: &'a [u8], settings: &Settings) -> Body<'a> {
    let mut summary = Summary::default();
    let json = chat_json(body, settings, &mut summary);
    Body { json: json.map_or(Cow::Borrowed(body), |json| Cow::Owned(json.into_bytes())), summary }
}

/// Splits the harmony text in a reply of Ollama's `/api/chat` (`message.content`).
///
/// ```
/// use harmony_stream::openai::{Settings, ollama_body};
///
/// let body = br#"{"message":{"content":"<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon."},"done":true}"#;
/// let split = br#"{"message":{"content":"Noon.","thinking":"Hm."},"done":true}"#;
/// assert_eq!(*ollama_body(body, &Settings::default()).json, *split);
/// ```
pub fn ollama_body<'a>(body: &'a [u8], settings: &Settings) -> Body<'a> {
    let mut summary = Summary::default();
    let json = ollama_json(body, settings, &mut summary);
    Body { json: json.map_or(Cow::Borrowed(body), |json| Cow::Owned(json.into_bytes())), summary }
}

/// The text of a message, put together.
#[derive(Default)]
struct Message {
    content: String,
    reasoning: String,
    /// Name and arguments.
    calls: Vec<(String, String)>,
    reason: Option<&'static str>,
}

impl Message {
    fn new(pieces: Vec<Piece>, reason: Option<&'static str>) -> Message {
        let mut message = Message { reason, ..Message::default() };
        for piece in pieces {
            match piece {
                Piece::Content(text) => message.content += &text,
                Piece::Reasoning(text) => message.reasoning += &text,
                Piece::Call { name: Some(name), arguments, .. } => message.calls.push((name, arguments)),
                Piece::Call { name: None, arguments, .. } => {
                    if let Some((_, last)) = message.calls.last_mut() {
                        last.push_str(&arguments);
                    }
                }
            }
        }
        message
    }
}

/// Splits the text of a whole message; `None`: it stays as it is.
fn split(
    text: &str,
    reason: &str,
    calls: Calls,
    settings: &Settings,
    summary: &mut Summary,
) -> Option<Message> {
    let mut choice = Choice::new(settings, calls);
    if choice.push(text).is_err() {
        summary.limits.transcript += 1;
        return None;
    }
    choice.end();
    summary.add(&choice.summary());
    match choice.fate(text, Some(reason)) {
        Fate::Split { pieces, reason } => Some(Message::new(pieces, reason)),
        Fate::Untouched | Fate::Waiting => None,
    }
}

fn chat_json(body: &[u8], settings: &Settings, summary: &mut Summary) -> Option<String> {
    let Ok(mut object) = serde_json::from_slice::<Object<'_>>(body) else {
        summary.unreadable += 1;
        return None;
    };
    let source = source(&object);
    let choices = object.parse::<Vec<Object<'_>>>("choices")?;
    let mut changed = false;
    let mut written = Vec::new();
    for (at, mut choice) in choices.into_iter().enumerate() {
        changed |= at < settings.max_choices && chat_choice(&mut choice, at, &source, settings, summary);
        summary.limits.choices += u64::from(at >= settings.max_choices);
        written.push(choice.json());
    }
    object.set("choices", list(&written));
    changed.then(|| object.json())
}

/// Splits one choice, and says whether that changed it.
fn chat_choice(
    choice: &mut Object<'_>,
    at: usize,
    source: &str,
    settings: &Settings,
    summary: &mut Summary,
) -> bool {
    let Some(mut message) = choice.parse::<Object<'_>>("message").filter(|message| !is_structured(message))
    else {
        return false;
    };
    let Some(text) = message.text("content") else {
        summary.unreadable += 1;
        return false;
    };
    let upstream = choice.text("finish_reason").unwrap_or_default();
    let Some(split) = split(&text, &upstream, Calls::Pieces, settings, summary) else { return false };
    let index = choice.parse("index").unwrap_or(at as u64);
    let calls: Vec<String> = (0..)
        .zip(&split.calls)
        .map(|(n, (name, arguments))| {
            format!("{{{}}}", chat::call(&call_id(source, index, n), name, arguments))
        })
        .collect();
    // OpenAI's own API has null where there are calls only.
    let no_content = split.content.is_empty() && !calls.is_empty();
    message.set("content", if no_content { "null".to_string() } else { quoted(&split.content) });
    if !split.reasoning.is_empty() {
        message.set(settings.reasoning.name(), quoted(&split.reasoning));
    }
    if !calls.is_empty() {
        message.set("tool_calls", list(&calls));
    }
    choice.set("message", message.json());
    if let Some(reason) = split.reason {
        choice.set("finish_reason", quoted(reason));
    }
    true
}

fn ollama_json(body: &[u8], settings: &Settings, summary: &mut Summary) -> Option<String> {
    let ollama::Reply { mut object, mut message, text } = match Ollama::read(body) {
        Data::Message(reply) if !reply.is_structured() => reply,
        Data::Unreadable => {
            summary.unreadable += 1;
            return None;
        }
        _ => return None,
    };
    let split = split(&text, "", Calls::Whole, settings, summary)?;
    message.set("content", quoted(&split.content));
    if !split.reasoning.is_empty() {
        message.set("thinking", quoted(&split.reasoning));
    }
    if !split.calls.is_empty() {
        let calls: Vec<String> =
            (0..).zip(&split.calls).map(|(n, (name, arguments))| ollama::call(n, name, arguments)).collect();
        message.set("tool_calls", list(&calls));
    }
    object.set("message", message.json());
    Some(object.json())
}
