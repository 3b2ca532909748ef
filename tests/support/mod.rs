//! What the tests share: the vectors, chunks, markup soups.

// Each test target uses its own part.
#![allow(dead_code)]

pub(crate) mod accounts;
pub(crate) mod chunks;
pub(crate) mod contract;
pub(crate) mod drive;
pub(crate) mod prompt;
pub(crate) mod soup;
pub(crate) mod table;
pub(crate) mod transcripts;
pub(crate) mod vectors;

/// `HARMONY_FULL_TESTS=1` asks for many more cases than fit into a daily run.
pub(crate) fn full() -> bool {
    std::env::var_os("HARMONY_FULL_TESTS").is_some_and(|value| value != "0" && !value.is_empty())
}

/// The control tokens, spelled out.
pub(crate) const MARKERS: [&str; 7] =
    ["<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>"];

/// The first of them in a text, and where it begins.
pub(crate) fn first_marker(text: &str) -> Option<(usize, &'static str)> {
    MARKERS.iter().filter_map(|marker| Some((text.find(marker)?, *marker))).min()
}

/// White space of ECMAScript.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}
