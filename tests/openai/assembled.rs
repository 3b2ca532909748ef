//! What a client puts together, and that it gets nothing a strict one would stumble over.

use std::collections::BTreeMap;

use harmony_stream::{Options, parse_with};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// One choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Assembled {
    pub(crate) content: String,
    pub(crate) reasoning: String,
    /// Name and arguments.
    pub(crate) calls: Vec<(String, String)>,
    pub(crate) ids: Vec<String>,
    pub(crate) reason: Option<String>,
}

impl Assembled {
    /// Text, reasoning and calls.
    pub(crate) fn parts(&self) -> (&str, &str, &[(String, String)]) {
        (&self.content, &self.reasoning, &self.calls)
    }
}

/// What the parser makes of a text.
pub(crate) fn expected(text: &str, options: Options) -> Assembled {
    let parsed = parse_with(text, options);
    let call = |call: &harmony_stream::ToolCall<'_>| (call.name.to_string(), call.arguments.to_string());
    Assembled {
        content: parsed.content.to_string(),
        reasoning: parsed.reasoning.to_string(),
        calls: parsed.tool_calls.iter().map(call).collect(),
        ..Assembled::default()
    }
}

/// The data of the events, comments left out; line ends of any kind.
pub(crate) fn events(stream: &str) -> Vec<String> {
    let lines = stream.replace("\r\n", "\n").replace('\r', "\n");
    let data = |event: &str| {
        let lines: Vec<&str> =
            event.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim_start).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    };
    lines.split("\n\n").filter_map(data).collect()
}

/// The choices of a stream, by index.
pub(crate) fn chat(stream: &str) -> BTreeMap<u64, Assembled> {
    let mut choices: BTreeMap<u64, Assembled> = BTreeMap::new();
    let mut roles: BTreeMap<u64, usize> = BTreeMap::new();
    for data in events(stream) {
        let Ok(chunk) = serde_json::from_str::<Value>(&data) else { continue };
        for choice in chunk["choices"].as_array().into_iter().flatten() {
            let index = choice["index"].as_u64().expect("an index");
            let delta = &choice["delta"];
            *roles.entry(index).or_default() += usize::from(delta["role"].is_string());
            let assembled = choices.entry(index).or_default();
            assert_eq!(assembled.reason, None, "text behind the finish reason: {data}");
            add(assembled, delta);
            assembled.reason = choice["finish_reason"].as_str().map(str::to_owned);
        }
    }
    assert!(roles.values().all(|&count| count <= 1), "a role comes once: {stream}");
    choices
}

/// The only choice.
pub(crate) fn only(stream: &str) -> Assembled {
    let mut choices = chat(stream);
    assert!(choices.len() <= 1, "{} choices: {stream}", choices.len());
    choices.remove(&0).unwrap_or_default()
}

fn add(assembled: &mut Assembled, delta: &Value) {
    let text = |name: &str| delta[name].as_str().filter(|text| !text.is_empty());
    let reasoning = text("reasoning_content").or(text("reasoning"));
    let calls = delta["tool_calls"].as_array();
    let kinds = [text("content").is_some(), reasoning.is_some(), calls.is_some()];
    assert!(kinds.iter().filter(|&&kind| kind).count() <= 1, "one kind a delta: {delta}");
    assembled.content += text("content").unwrap_or_default();
    assembled.reasoning += reasoning.unwrap_or_default();
    for call in calls.into_iter().flatten() {
        let index = call["index"].as_u64().expect("an index") as usize;
        let function = &call["function"];
        if let Some(id) = call["id"].as_str() {
            assert_eq!(index, assembled.calls.len(), "calls begin in order: {delta}");
            assert_eq!(call["type"], "function");
            assembled.ids.push(id.to_owned());
            assembled.calls.push((function["name"].as_str().expect("a name").to_owned(), String::new()));
        }
        assert_eq!(index + 1, assembled.calls.len(), "no two calls are open: {delta}");
        assembled.calls[index].1 += function["arguments"].as_str().expect("arguments");
    }
}

/// A line of Ollama. Arguments stay text: they may hold half a surrogate pair, which not every reader takes.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    message: Message,
    pub(crate) done: bool,
    pub(crate) eval_count: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Message {
    content: String,
    #[serde(default)]
    thinking: String,
    #[serde(default)]
    tool_calls: Vec<Call>,
}

#[derive(Debug, Deserialize)]
struct Call {
    function: Function,
}

#[derive(Debug, Deserialize)]
struct Function {
    index: usize,
    name: String,
    arguments: Box<RawValue>,
}

/// The reply that the lines of Ollama make, and the last line.
pub(crate) fn ollama(stream: &str) -> (Assembled, Line) {
    let mut assembled = Assembled::default();
    let mut lines: Vec<Line> = Vec::new();
    for line in stream.lines() {
        let line: Line = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assembled.content += &line.message.content;
        assembled.reasoning += &line.message.thinking;
        for Call { function } in &line.message.tool_calls {
            assert_eq!(function.index, assembled.calls.len());
            let arguments = function.arguments.get();
            assert!(arguments.starts_with('{'), "{arguments}");
            assembled.calls.push((function.name.clone(), arguments.to_owned()));
        }
        lines.push(line);
    }
    assert!(lines.iter().rev().skip(1).all(|line| !line.done), "a line behind the last one: {stream}");
    (assembled, lines.pop().expect("a line"))
}
