//! The values that the three schemas ask for, read leniently: what is usable is taken, the rest is dropped.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json_text;
use crate::whitespace::trim;

/// How many suggestion chips there is room for.
const SUGGESTIONS: usize = 3;

/// The object's `title`, trimmed; `None` if it is no string, or blank.
///
/// Like all pickers it takes the text of one JSON object, as [`extract`](fn@super::extract) gives it, and finds nothing
/// in any other text.
///
/// ```
/// use harmony_stream::structured::pick_title;
/// assert_eq!(pick_title(r#"{"title":" Trip to Rome "}"#).as_deref(), Some("Trip to Rome"));
/// assert_eq!(pick_title(r#"{"title":" "}"#), None);
/// assert_eq!(pick_title("Trip to Rome"), None);
/// ```
pub fn pick_title(object: &str) -> Option<String> {
    clean(member(object, "title")?)
}

/// The first three usable strings of the object's `suggestions`; `None` if there are none.
///
/// ```
/// use harmony_stream::structured::pick_suggestions;
/// let chips = pick_suggestions(r#"{"suggestions":["a"," ",7,"b","c","d"]}"#).unwrap();
/// assert_eq!(chips, ["a", "b", "c"]);
/// ```
pub fn pick_suggestions(object: &str) -> Option<Vec<String>> {
    clean_list(member(object, "suggestions")?, SUGGESTIONS)
}

/// All usable strings of the object's `queries`, best first; `None` if there are none.
///
/// ```
/// use harmony_stream::structured::pick_queries;
/// assert_eq!(pick_queries(r#"{"queries":["oslo weather"]}"#).unwrap(), ["oslo weather"]);
/// assert_eq!(pick_queries(r#"{"queries":"oslo weather"}"#), None);
/// ```
pub fn pick_queries(object: &str) -> Option<Vec<String>> {
    clean_list(member(object, "queries")?, usize::MAX)
}

fn member<'a>(object: &'a str, key: &str) -> Option<&'a str> {
    let object = object.trim_matches([' ', '\t', '\n', '\r']);
    // The reader below takes validity for granted.
    crate::json::is_object(object.as_bytes()).then(|| json_text::member(object, key))?
}

/// A string that says something, trimmed.
fn clean(value: &str) -> Option<String> {
    let text = json_text::string(value)?;
    let trimmed = trim(&text);
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

fn clean_list(value: &str, limit: usize) -> Option<Vec<String>> {
    let list: Vec<String> = json_text::elements(value).filter_map(clean).take(limit).collect();
    (!list.is_empty()).then_some(list)
}
