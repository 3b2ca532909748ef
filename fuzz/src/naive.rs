//! The verbatim machine is the naive whole-text reading of the grammar.

use harmony_stream::parse;

use crate::grammar;

/// One-shot against naive.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let expected = grammar::parse(text);
    let parsed = parse(text);
    let calls: Vec<(String, String)> =
        parsed.tool_calls.iter().map(|call| (call.name.to_string(), call.arguments.to_string())).collect();
    assert_eq!(parsed.failed(), expected.failed);
    assert_eq!(*parsed.content, *expected.content);
    assert_eq!(*parsed.reasoning, *expected.reasoning);
    assert_eq!(calls, expected.calls);
    assert_eq!(harmony_stream::is_harmony(text), grammar::is_harmony(text));
}
