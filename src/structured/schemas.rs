//! The schemas that a side call asks for.
//!
//! Each constant is the text that `tests/vectors/structured-schemas.json` has for it, byte for byte: prompts and
//! grammar caches that are keyed by the schema's text stay valid.

/// A chat title: an object with `title`, one string.
pub const TITLE_SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
      "title": {
        "type": "string"
      }
    },
    "required": [
      "title"
    ],
    "additionalProperties": false
  }"#;

/// Suggestion chips for an empty chat: an object with `suggestions`, three strings.
pub const SUGGESTIONS_SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
      "suggestions": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 3,
        "maxItems": 3
      }
    },
    "required": [
      "suggestions"
    ],
    "additionalProperties": false
  }"#;

/// Retrieval queries: an object with `queries`, one string or more.
pub const QUERIES_SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
      "queries": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "minItems": 1
      }
    },
    "required": [
      "queries"
    ],
    "additionalProperties": false
  }"#;
