//! Whether a result is right, and if not, what is wrong with it.

use harmony_stream::Control;
use serde_json::Value;

/// A whole transcript, split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) content: String,
    pub(crate) reasoning: String,
    /// Name and arguments.
    pub(crate) calls: Vec<(String, String)>,
    /// What the parser gave up with; empty if it did not.
    pub(crate) error: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Right,
    /// The parser gave up.
    Error,
    /// Control tokens stand in the answer or in the reasoning.
    Markup,
    /// Text is missing.
    Lost,
    /// An unfinished or broken call is returned as if it could be run.
    UnsafeCall,
    /// All text is there, but not where it belongs.
    Misplaced,
}

impl Verdict {
    pub(crate) const ALL: [Verdict; 6] = [
        Verdict::Right,
        Verdict::Error,
        Verdict::Markup,
        Verdict::Lost,
        Verdict::UnsafeCall,
        Verdict::Misplaced,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Error => "error",
            Verdict::Markup => "markup shown",
            Verdict::Lost => "text lost",
            Verdict::UnsafeCall => "unsafe call",
            Verdict::Misplaced => "misplaced",
        }
    }
}

/// Judges what a parser made of a text. `unsafe_calls` are those of the meaning that must not be run: a parser that
/// has no word for them may leave them out.
///
/// White space is not compared, since some parsers join messages with a newline or trim them, and arguments are
/// compared as JSON values, since some parsers write them anew.
pub(crate) fn judge(meaning: &Outcome, unsafe_calls: &[(String, String)], got: &Outcome) -> Verdict {
    if !got.error.is_empty() {
        return Verdict::Error;
    }
    let calls = same_calls(&meaning.calls, &got.calls);
    let text =
        dense(&meaning.content) == dense(&got.content) && dense(&meaning.reasoning) == dense(&got.reasoning);
    if calls && text {
        return Verdict::Right;
    }
    if markers(&got.content) + markers(&got.reasoning)
        > markers(&meaning.content) + markers(&meaning.reasoning)
    {
        return Verdict::Markup;
    }
    if got
        .calls
        .iter()
        .any(|call| unsafe_calls.iter().any(|other| same_call(call, other)) || !is_object(&call.1))
    {
        return Verdict::UnsafeCall;
    }
    if weight(got) < weight(meaning) { Verdict::Lost } else { Verdict::Misplaced }
}

fn same_calls(a: &[(String, String)], b: &[(String, String)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_call(a, b))
}

fn same_call(a: &(String, String), b: &(String, String)) -> bool {
    bare(&a.0) == bare(&b.0) && same_arguments(&a.1, &b.1)
}

fn bare(name: &str) -> &str {
    name.strip_prefix("functions.").unwrap_or(name)
}

fn same_arguments(a: &str, b: &str) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    a.trim() == b.trim() || matches!((value(a), value(b)), (Some(a), Some(b)) if a == b)
}

fn is_object(text: &str) -> bool {
    matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}

fn dense(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn markers(text: &str) -> usize {
    Control::ALL.iter().map(|control| text.matches(control.literal()).count()).sum()
}

/// How much text there is; arguments by their value, since white space in them may have gone.
fn weight(outcome: &Outcome) -> usize {
    let arguments = |text: &str| match serde_json::from_str::<Value>(text) {
        Ok(value) => value.to_string().len(),
        Err(_) => dense(text).len(),
    };
    dense(&outcome.content).len()
        + dense(&outcome.reasoning).len()
        + outcome.calls.iter().map(|(_, text)| arguments(text)).sum::<usize>()
}
