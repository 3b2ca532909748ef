//! Recovery of a tool call whose input ends in a leak: what came before the leak is good, and can be run.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::signal::{Detection, Surface};
use crate::whitespace::{blank, leading, trimmed_end};

/// Ends the input of `edit` and `eval`: both tools know it as "stop here".
const ABORT: &str = "\n*** Abort\n";

/// Asks the model, as the next user message, for what a recovered call lost.
pub const CONTINUATION: &str = "Your last tool call was cut off: its input went on with text that belongs to the \
message protocol, and that text was removed together with everything behind it. What came before it was run. Look at \
the result, then issue the remaining operations again in a new tool call. Do not repeat what was already done.";

/// How the input of one tool is recovered.
pub struct Tool {
    accepts: Accepts,
    sentinel: Cow<'static, str>,
}

enum Accepts {
    Any,
    Prefix(Cow<'static, str>),
    When(Box<dyn Fn(&str) -> bool + Send + Sync>),
}

impl Tool {
    /// Any input can be cut; `sentinel` then ends it.
    pub fn any(sentinel: impl Into<Cow<'static, str>>) -> Tool {
        Tool { accepts: Accepts::Any, sentinel: sentinel.into() }
    }

    /// Input that begins, after white space, with `prefix` can be cut.
    pub fn beginning_with(
        prefix: impl Into<Cow<'static, str>>,
        sentinel: impl Into<Cow<'static, str>>,
    ) -> Tool {
        Tool { accepts: Accepts::Prefix(prefix.into()), sentinel: sentinel.into() }
    }

    /// Input that `accepts` approves of can be cut.
    pub fn when(
        accepts: impl Fn(&str) -> bool + Send + Sync + 'static,
        sentinel: impl Into<Cow<'static, str>>,
    ) -> Tool {
        Tool { accepts: Accepts::When(Box::new(accepts)), sentinel: sentinel.into() }
    }

    fn accepts(&self, input: &str) -> bool {
        match &self.accepts {
            Accepts::Any => true,
            Accepts::Prefix(prefix) => input[leading(input.as_bytes())..].starts_with(&**prefix),
            Accepts::When(accepts) => accepts(input),
        }
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("sentinel", &self.sentinel).finish_non_exhaustive()
    }
}

/// The tools whose input can be recovered. The default has `edit` (input that begins with `@`) and `eval`.
///
/// ```
/// use harmony_stream::leak::{Registry, Tool};
/// let mut registry = Registry::default();
/// registry.register("sql", Tool::any("\n-- cut\n")).register("patch", Tool::beginning_with("***", "\n*** End\n"));
/// ```
#[derive(Debug)]
pub struct Registry {
    tools: Vec<(String, Tool)>,
}

impl Default for Registry {
    fn default() -> Registry {
        let mut registry = Registry::empty();
        registry.register("edit", Tool::beginning_with("@", ABORT)).register("eval", Tool::any(ABORT));
        registry
    }
}

impl Registry {
    /// No tools.
    pub const fn empty() -> Registry {
        Registry { tools: Vec::new() }
    }

    /// Adds a tool, or changes the one with this name.
    pub fn register(&mut self, name: impl Into<String>, tool: Tool) -> &mut Registry {
        let name = name.into();
        self.tools.retain(|(other, _)| *other != name);
        self.tools.push((name, tool));
        self
    }

    fn get(&self, name: &str) -> Option<&Tool> {
        self.tools.iter().find(|(other, _)| other == name).map(|(_, tool)| tool)
    }
}

/// A tool call's input without the leak.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Recovered<'a> {
    /// What can be run: the lines before the leak, and the tool's sentinel.
    pub clean: String,
    /// What was taken away, from the start of the line with the first signal.
    pub removed: &'a str,
}

/// Cuts `input`, the string that a tool call is about, at the start of the line of the first signal.
///
/// `None` if the leak is not in a tool call, the registry does not have the tool or the tool does not accept the input,
/// or if nothing would be left. Then retry instead; [`removed`] tells what to put in the audit event.
///
/// ```
/// use harmony_stream::leak::{detect, recover, DetectOptions, Registry, Surface};
/// let input = "print(1)\nuser to=functions.eval code";
/// let options = DetectOptions::new().parsed_end(9).tool("eval", "call_1");
/// let detection = detect(input, Surface::ToolArg, &options).unwrap();
/// let recovered = recover(input, &detection, &Registry::default()).unwrap();
/// assert_eq!(recovered.clean, "print(1)\n*** Abort\n");
/// assert_eq!(recovered.removed, "user to=functions.eval code");
/// ```
pub fn recover<'a>(input: &'a str, detection: &Detection, registry: &Registry) -> Option<Recovered<'a>> {
    let tool = registry.get(detection.tool_name.as_deref()?)?;
    let before = input.get(..detection.signals.first()?.start)?;
    if detection.surface != Surface::ToolArg || !tool.accepts(input) {
        return None;
    }
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let (head, removed) = input.split_at(line);
    if blank(head.as_bytes()) {
        return None;
    }
    let mut clean = String::from(&head[..trimmed_end(head.as_bytes())]);
    clean.push_str(&tool.sentinel);
    Some(Recovered { clean, removed })
}

/// What is lost when the whole message is thrown away: `text` from the first signal on. Empty if the detection is of
/// some other text.
///
/// ```
/// use harmony_stream::leak::{detect, removed, DetectOptions, Surface};
/// let text = "Hello<|end|> there";
/// let detection = detect(text, Surface::Text, &DetectOptions::new()).unwrap();
/// assert_eq!(removed(text, &detection), "<|end|> there");
/// ```
pub fn removed<'a>(text: &'a str, detection: &Detection) -> &'a str {
    detection.signals.first().and_then(|first| text.get(first.start..)).unwrap_or("")
}
