//! The rows of `tests/vectors`; see the README there.

use std::path::Path;

use serde_json::Value;

/// One line of a vector file.
pub(crate) struct Row(Value);

/// A tool call as a row has it; `harmony-*` and `tokens-cases` give no status.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) status: Option<String>,
}

/// A piece of token input.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Text(String),
    /// The name of a control token.
    Control(String),
}

pub(crate) fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<Row> = text.lines().map(|line| Row(serde_json::from_str(line).expect(line))).collect();
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    rows
}

impl Row {
    /// A result that stands in a file of its own.
    pub(crate) fn of(value: Value) -> Row {
        Row(value)
    }

    pub(crate) fn text(&self, field: &str) -> &str {
        self.0[field].as_str().unwrap_or_else(|| panic!("no text in {field}: {}", self.0))
    }

    pub(crate) fn id(&self) -> &str {
        self.text("id")
    }

    pub(crate) fn input(&self) -> &str {
        self.text("input")
    }

    pub(crate) fn has(&self, field: &str) -> bool {
        !self.0[field].is_null()
    }

    pub(crate) fn flag(&self, field: &str) -> bool {
        self.0[field].as_bool().unwrap_or_else(|| panic!("no flag in {field}: {}", self.0))
    }

    /// Rows of the recover policy never fail and do not say so.
    pub(crate) fn failed(&self) -> bool {
        self.has("failed") && self.flag("failed")
    }

    /// Hand-made rows say why they are there.
    pub(crate) fn is_hand_made(&self) -> bool {
        self.has("why")
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        let calls = self.0["tool_calls"].as_array().expect("tool_calls");
        let field = |call: &Value, name: &str| call[name].as_str().map(str::to_owned);
        calls
            .iter()
            .map(|call| Call {
                name: field(call, "name").expect("name"),
                arguments: field(call, "arguments").expect("arguments"),
                status: field(call, "status"),
            })
            .collect()
    }

    /// Token input, if the row has that.
    pub(crate) fn items(&self) -> Option<Vec<Item>> {
        let items = self.0["items"].as_array()?;
        Some(items.iter().map(item).collect())
    }
}

fn item(value: &Value) -> Item {
    match (value["text"].as_str(), value["control"].as_str()) {
        (Some(text), None) => Item::Text(text.to_owned()),
        (None, Some(name)) => Item::Control(name.to_owned()),
        _ => panic!("neither text nor control: {value}"),
    }
}
