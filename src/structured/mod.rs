//! Structured answers to small side calls: a chat title, suggestion chips, retrieval queries.
//!
//! A schema constant goes into the request, [`resolve()`] takes the answer apart.
//!
//! ```
//! use harmony_stream::structured::{pick_queries, resolve, QUERIES_SCHEMA};
//! # fn ask(_schema: &str) -> String { r#"{"queries": ["weather oslo tomorrow"]}"#.into() }
//! let answer = ask(QUERIES_SCHEMA);
//! match resolve(&answer, true, pick_queries) {
//!     Ok(queries) => assert_eq!(queries, ["weather oslo tomorrow"]),
//!     Err(reason) => eprintln!("searching for the question itself: {reason}"),
//! }
//! ```

mod extract;
mod pickers;
mod resolve;
mod schemas;

pub use extract::extract;
pub use pickers::{pick_queries, pick_suggestions, pick_title};
pub use resolve::{Unresolved, resolve};
pub use schemas::{QUERIES_SCHEMA, SUGGESTIONS_SCHEMA, TITLE_SCHEMA};
