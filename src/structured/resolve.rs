//! A value, or the reason why there is none.

use core::fmt;

use super::extract;

/// Why an answer yields no value, which decides what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Unresolved {
    /// A grammar was applied, so the answer was cut: the model ran into its token limit. Do not show it and do not
    /// parse it as prose; do without the value.
    ConstrainedParseFailed,
    /// No grammar was applied, so the answer may be prose: use your own parser on it.
    Unconstrained,
}

impl Unresolved {
    /// `"constrained-parse-failed"` or `"unconstrained"`, for logs and metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Unresolved::ConstrainedParseFailed => "constrained-parse-failed",
            Unresolved::Unconstrained => "unconstrained",
        }
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unresolved::ConstrainedParseFailed => "the grammar was applied, but the answer was cut",
            Unresolved::Unconstrained => "no grammar was applied, and the answer holds no such object",
        })
    }
}

impl core::error::Error for Unresolved {}

/// Extracts the object from `raw` and picks a value out of it.
///
/// `constrained` says whether the decoder was really bound to a schema; only the transport knows. `pick` gets the
/// object's text, so any deserialiser fits: one of this module's pickers, or `|text| serde_json::from_str(text).ok()`.
///
/// # Errors
///
/// [`Unresolved`], when there is no object or `pick` finds nothing in it.
///
/// ```
/// use harmony_stream::structured::{pick_title, resolve, Unresolved};
/// assert_eq!(resolve("{\"title\":\"Rome\"}", true, pick_title).as_deref(), Ok("Rome"));
/// assert_eq!(resolve("{\"title\":\"Ro", true, pick_title), Err(Unresolved::ConstrainedParseFailed));
/// assert_eq!(resolve("A title: Rome", false, pick_title), Err(Unresolved::Unconstrained));
/// ```
pub fn resolve<T>(
    raw: &str,
    constrained: bool,
    pick: impl FnOnce(&str) -> Option<T>,
) -> Result<T, Unresolved> {
    extract(raw).and_then(pick).ok_or(if constrained {
        Unresolved::ConstrainedParseFailed
    } else {
        Unresolved::Unconstrained
    })
}
