//! The pickers are total, and agree with serde_json where that can parse.

use harmony_stream::structured::{extract, pick_queries, pick_suggestions, pick_title, resolve};
use serde_json::Value;

/// Every picker on every text.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for constrained in [false, true] {
        let _ = resolve(&text, constrained, pick_title);
    }
    let Some(object) = extract(&text) else { return };
    let title = pick_title(object);
    let suggestions = pick_suggestions(object);
    let queries = pick_queries(object);
    // It has no place for a lone surrogate or a number out of range, so it may refuse what is JSON.
    let Ok(value) = serde_json::from_str::<Value>(object) else { return };
    assert_eq!(title, clean(&value["title"]), "{object}");
    assert_eq!(suggestions, all(&value["suggestions"], 3), "{object}");
    assert_eq!(queries, all(&value["queries"], usize::MAX), "{object}");
}

fn clean(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace() && c != '\u{85}');
    (!text.is_empty()).then(|| text.to_owned())
}

fn all(value: &Value, limit: usize) -> Option<Vec<String>> {
    let picked: Vec<String> = value.as_array()?.iter().filter_map(clean).take(limit).collect();
    (!picked.is_empty()).then_some(picked)
}
