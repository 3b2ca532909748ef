//! Every row of the structured vectors, and answers that no vector has.

use harmony_stream::structured::{
    QUERIES_SCHEMA, SUGGESTIONS_SCHEMA, TITLE_SCHEMA, extract, pick_queries, pick_suggestions, pick_title,
    resolve,
};
use proptest::prelude::*;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Which picker, by the name the vectors give it; its value as JSON.
fn pick(picker: &str, object: &str) -> Option<Value> {
    match picker {
        "title" => pick_title(object).map(|title| json!(title)),
        "suggestions" => pick_suggestions(object).map(|list| json!(list)),
        "queries" => pick_queries(object).map(|list| json!(list)),
        other => panic!("no picker {other}"),
    }
}

fn check(file: &str) -> usize {
    let mut rows = 0;
    for line in file.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let constrained = row["constrained"].as_bool().unwrap();
        let picker = row["picker"].as_str().unwrap();
        let result = resolve(row["raw"].as_str().unwrap(), constrained, |object| pick(picker, object));
        let expected =
            if row["ok"] == true { Ok(&row["value"]) } else { Err(row["reason"].as_str().unwrap()) };
        assert_eq!(result.as_ref().map_err(|reason| reason.name()), expected, "{}", row["id"]);
        rows += 1;
    }
    rows
}

#[test]
fn cases() {
    assert_eq!(check(include_str!("vectors/structured-cases.jsonl")), 137);
}

#[test]
fn random() {
    assert_eq!(check(include_str!("vectors/structured-random.jsonl")), 1500);
}

#[test]
fn schemas() {
    let file: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(include_str!("vectors/structured-schemas.json")).unwrap();
    assert_eq!(file["TITLE_SCHEMA"].get(), TITLE_SCHEMA);
    assert_eq!(file["SUGGESTIONS_SCHEMA"].get(), SUGGESTIONS_SCHEMA);
    assert_eq!(file["QUERIES_SCHEMA"].get(), QUERIES_SCHEMA);
}

#[test]
fn a_million_levels() {
    let depth = 1_000_000;
    let deep = format!("{{\"x\":{}{},\"title\":\"t\"}}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(resolve(&deep, true, pick_title).as_deref(), Ok("t"));
    let deep = format!("{{\"title\":{}1{}}}", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert_eq!(extract(&deep), Some(&*deep));
    assert_eq!(pick_title(&deep), None);
}

#[test]
fn any_deserialiser_fits() {
    let parse = |object: &str| serde_json::from_str::<Value>(object).ok()?["n"].as_u64();
    assert_eq!(resolve("n is {\"n\": 3}.", false, parse), Ok(3));
}

proptest! {
    #[test]
    fn no_input_panics(raw in "[\\{\\}\\[\\]\",:\\\\ud8titlea1é \n]{0,60}") {
        let _ = (pick_title(&raw), pick_suggestions(&raw), pick_queries(&raw));
        let _ = resolve(&raw, true, pick_title);
    }

    #[test]
    fn pickers_agree_with_a_json_library(
        keys in prop::collection::vec("title|titl|queries", 0..4),
        texts in prop::collection::vec("[ -~é😀\u{a0}\n\t\u{1}]{0,12}", 4),
    ) {
        let members: Vec<String> = keys.iter().zip(&texts)
            .map(|(key, text)| format!("{}: {}", json!(key), if key == "queries" { json!(texts) } else { json!(text) }))
            .collect();
        let object = format!("{{{}}}", members.join(" ,"));
        let value: Value = serde_json::from_str(&object).unwrap();
        let trim = |text: &Value| {
            let text = text.as_str().unwrap().trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        prop_assert_eq!(pick_title(&object), value.get("title").and_then(trim));
        let queries = value.get("queries").map(|list| list.as_array().unwrap().iter().filter_map(trim).collect::<Vec<_>>());
        prop_assert_eq!(pick_queries(&object), queries.filter(|list| !list.is_empty()));
    }
}
