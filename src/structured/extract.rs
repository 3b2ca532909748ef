//! Finds the JSON object in what a model answered.

use memchr::{memchr, memrchr};

/// The text from the first `{` to the last `}`, if that is one JSON object.
///
/// A preamble, a code fence and trailing commentary fall outside the braces. What counts as JSON is what
/// `JSON.parse` takes, at any depth. No input panics; the work is linear.
///
/// ```
/// use harmony_stream::structured::extract;
/// assert_eq!(extract("Sure!\n```json\n{\"title\": \"Rome\"}\n```"), Some("{\"title\": \"Rome\"}"));
/// assert_eq!(extract("{\"title\": \"Ro"), None);
/// assert_eq!(extract("{\"a\":1} or {\"a\":2}"), None);
/// ```
pub fn extract(raw: &str) -> Option<&str> {
    let start = memchr(b'{', raw.as_bytes())?;
    let end = memrchr(b'}', raw.as_bytes())?;
    let object = raw.get(start..=end)?;
    crate::json::is_object(object.as_bytes()).then_some(object)
}
