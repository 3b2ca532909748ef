//! Lines of Ollama's `/api/chat`.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr;

use super::filter::{Data, Filter, Turn, Wire};
use super::line::Fate;
use super::object::{Object, list, quoted};
use super::pieces::{Calls, Piece};
use super::{Settings, Summary};

/// Splits the harmony text in the lines that Ollama's `/api/chat` streams (newline-delimited JSON).
///
/// Bytes may be cut anywhere. What goes out is described in the [module's page](super).
///
/// ```
/// use harmony_stream::openai::{OllamaFilter, Settings};
///
/// let mut filter = OllamaFilter::new(Settings::default());
/// let mut out = Vec::new();
/// let text = "<|channel|>commentary to=functions.tide<|message|>{}<|call|>";
/// let line = format!("{{\"message\":{{\"role\":\"assistant\",\"content\":\"{text}\"}},\"done\":true}}\n");
/// filter.push(line.as_bytes(), &mut out);
/// let summary = filter.finish(&mut out);
/// assert_eq!(
///     String::from_utf8(out)?,
///     "{\"message\":{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[\
///      {\"function\":{\"index\":0,\"name\":\"tide\",\"arguments\":{}}}]},\"done\":true}\n",
/// );
/// assert_eq!(summary.complete_calls, 1);
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
#[derive(Debug)]
pub struct OllamaFilter {
    filter: Filter<Ollama>,
}

impl OllamaFilter {
    /// A filter for one response.
    pub fn new(settings: Settings) -> OllamaFilter {
        OllamaFilter { filter: Filter::new(settings) }
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

/// The members of a line of which none is missed where the message says nothing.
const MEMBERS: &[&str] = &["message", "done", "model", "created_at", "remote_model", "remote_host"];

/// Those that say which response it belongs to.
const ORIGIN: &[&str] = MEMBERS.split_at(2).1;

#[derive(Debug)]
pub(crate) struct Ollama;

/// How much of a line was looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    read: usize,
}

/// A line with a message.
pub(crate) struct Reply<'a> {
    pub(crate) object: Object<'a>,
    pub(crate) message: Object<'a>,
    pub(crate) text: String,
}

impl Wire for Ollama {
    const CALLS: Calls = Calls::Whole;
    const END: &'static [u8] = b"\n";
    type Scan = Scan;
    type Message<'a> = Reply<'a>;

    fn end(scan: &mut Scan, bytes: &[u8]) -> Option<usize> {
        let found = memchr(b'\n', &bytes[scan.read..]).map(|at| scan.read + at + 1);
        scan.read = bytes.len();
        found
    }

    fn forget(scan: &mut Scan) {
        scan.read = 0;
    }

    fn data(line: &[u8]) -> Option<Cow<'_, [u8]>> {
        Some(line.trim_ascii()).filter(|line| !line.is_empty()).map(Cow::Borrowed)
    }

    fn read(data: &[u8]) -> Data<Reply<'_>> {
        let Ok(object) = serde_json::from_slice::<Object<'_>>(data) else { return Data::Unreadable };
        let Some(message) = object.parse::<Object<'_>>("message") else {
            // Clients read no further than the last line, whether it has a message or not, or than an error.
            return if is_done(&object) || object.says("error") { Data::Done } else { Data::Other };
        };
        let Some(text) = message.text("content") else { return Data::Unreadable };
        Data::Message(Reply { object, message, text })
    }

    fn turns<'m>(reply: &'m Reply<'_>) -> Vec<Turn<'m>> {
        let turn = Turn {
            choice: 0,
            text: &reply.text,
            structured: reply.is_structured(),
            // Ollama's `done_reason` does not tell of calls.
            reason: is_done(&reply.object).then_some(""),
        };
        Vec::from([turn])
    }

    /// All pieces but the last go out in lines of their own; the last one stays with what else is in the line,
    /// unless nothing is left of it.
    fn write(reply: &Reply<'_>, line: &[u8], fates: Vec<Fate>, _: &Settings, out: &mut Vec<u8>) {
        let end = if line.ends_with(b"\r\n") { "\r\n" } else { "\n" };
        let origin = reply.origin();
        for fate in fates {
            let Fate::Split { mut pieces, .. } = fate else { continue };
            let last = pieces.pop();
            for piece in pieces {
                out.extend_from_slice(origin.with(&piece).as_bytes());
                out.extend_from_slice(end.as_bytes());
            }
            if last.is_none() && reply.says_nothing_else() {
                continue;
            }
            let mut message = reply.message.clone();
            message.set("content", quoted(""));
            if let Some(piece) = last {
                say(&piece, &mut message);
            }
            let mut object = reply.object.clone();
            object.set("message", message.json());
            out.extend_from_slice(object.json().as_bytes());
            out.extend_from_slice(&line[line.trim_ascii_end().len()..]);
        }
    }

    fn add(reply: &Reply<'_>, _: u64, pieces: &[Piece], _: &Settings, out: &mut Vec<u8>) {
        let origin = reply.origin();
        for piece in pieces {
            out.extend_from_slice(origin.with(piece).as_bytes());
            out.push(b'\n');
        }
    }
}

fn is_done(line: &Object<'_>) -> bool {
    line.get("done") == Some("true")
}

impl<'a> Reply<'a> {
    /// Whether the server has split the text itself.
    pub(crate) fn is_structured(&self) -> bool {
        self.message.says("thinking") || self.message.says("tool_calls")
    }

    /// Whether nothing is left of the line without its text.
    fn says_nothing_else(&self) -> bool {
        !is_done(&self.object) && self.object.only(MEMBERS) && self.message.only(&["role", "content"])
    }

    /// What other lines of the same response have of it.
    fn origin(&self) -> Origin<'a> {
        Origin { object: self.object.pick(ORIGIN), message: self.message.pick(&["role"]) }
    }
}

/// The members of a line that say which response it belongs to, and who speaks.
struct Origin<'a> {
    object: Object<'a>,
    message: Object<'a>,
}

impl Origin<'_> {
    /// A line with this piece only.
    fn with(&self, piece: &Piece) -> String {
        let mut message = self.message.clone();
        message.set("content", quoted(""));
        say(piece, &mut message);
        let mut object = self.object.clone();
        object.set("message", message.json());
        object.set("done", "false".into());
        object.json()
    }
}

/// Puts a piece into a message.
fn say(piece: &Piece, message: &mut Object<'_>) {
    match piece {
        Piece::Content(text) => message.set("content", quoted(text)),
        Piece::Reasoning(text) => message.set("thinking", quoted(text)),
        Piece::Call { index, name, arguments } => {
            message.set("tool_calls", list(&[call(*index, name.as_deref().unwrap_or_default(), arguments)]));
        }
    }
}

/// A call as Ollama gives it: the arguments are an object, as the model wrote it, on one line.
pub(crate) fn call(index: u32, name: &str, arguments: &str) -> String {
    // In JSON a line end stands between values only.
    let arguments = arguments.replace(['\r', '\n'], " ");
    format!(r#"{{"function":{{"index":{index},"name":{},"arguments":{arguments}}}}}"#, quoted(name))
}
