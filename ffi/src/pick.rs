//! Values out of structured answers.

use std::ffi::c_char;

use harmony::structured;
use harmony::structured::{QUERIES_SCHEMA, SUGGESTIONS_SCHEMA, TITLE_SCHEMA, Unresolved};

use crate::names::c_text;
use crate::pointer::{self, Slot, output};
use crate::{HARMONY_CUT, HARMONY_NONE, HARMONY_OK, guard, harmony_status, harmony_texts};

/// The schema of a chat title as JSON: an object with `title`, one string. Static, terminated by NUL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_schema_title() -> *const c_char {
    guard::guard(c"".as_ptr(), || c_text!(TITLE_SCHEMA).as_ptr())
}

/// The schema of suggestion chips: an object with `suggestions`, three strings.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_schema_suggestions() -> *const c_char {
    guard::guard(c"".as_ptr(), || c_text!(SUGGESTIONS_SCHEMA).as_ptr())
}

/// The schema of retrieval queries: an object with `queries`, one string or more.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_schema_queries() -> *const c_char {
    guard::guard(c"".as_ptr(), || c_text!(QUERIES_SCHEMA).as_ptr())
}

/// The text from the first `{` to the last `}` of an answer, if that is one JSON object as JSON.parse takes it: `*start`
/// and `*object_length` are where. HARMONY_NONE, and both 0: it is not. At any depth, O(length).
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_extract(
    answer: *const c_char,
    length: usize,
    start: *mut usize,
    object_length: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends both outputs.
        let (start, object_length) = unsafe { (output(start, 0), output(object_length, 0)) };
        let (start, object_length) = (start?, object_length?);
        // SAFETY: the caller lends the bytes.
        let answer = unsafe { pointer::utf8(answer, length) }?;
        let Some(object) = structured::extract(answer) else { return Ok(HARMONY_NONE) };
        *start = object.as_ptr().addr() - answer.as_ptr().addr();
        *object_length = object.len();
        Ok(HARMONY_OK)
    })
}

/// The title in an answer: its `title`, trimmed. HARMONY_OK: `*out` is one text that the caller frees. Else it is NULL;
/// `constrained` says whether the decoder was really bound to a schema, and with it why there is no title: other than 0,
/// the answer was cut (HARMONY_CUT: do without the value); 0, it may be prose (HARMONY_NONE: use your own parser).
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_pick_title(
    answer: *const c_char,
    length: usize,
    constrained: i32,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    // SAFETY: the caller lends them.
    guard::status(|| unsafe {
        let slot = Slot::at(out)?;
        let answer = pointer::utf8(answer, length)?;
        Ok(give(
            slot,
            structured::resolve(answer, constrained != 0, |object| {
                Some(vec![structured::pick_title(object)?])
            }),
        ))
    })
}

/// The suggestions in an answer, at most three texts; else as harmony_pick_title.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_pick_suggestions(
    answer: *const c_char,
    length: usize,
    constrained: i32,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    // SAFETY: the caller lends them.
    guard::status(|| unsafe {
        let slot = Slot::at(out)?;
        let answer = pointer::utf8(answer, length)?;
        Ok(give(slot, structured::resolve(answer, constrained != 0, structured::pick_suggestions)))
    })
}

/// The queries in an answer, best first; else as harmony_pick_title.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_pick_queries(
    answer: *const c_char,
    length: usize,
    constrained: i32,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    // SAFETY: the caller lends them.
    guard::status(|| unsafe {
        let slot = Slot::at(out)?;
        let answer = pointer::utf8(answer, length)?;
        Ok(give(slot, structured::resolve(answer, constrained != 0, structured::pick_queries)))
    })
}

fn give(slot: Slot<'_, harmony_texts>, picked: Result<Vec<String>, Unresolved>) -> harmony_status {
    match picked {
        Ok(texts) => {
            slot.fill(harmony_texts::new(texts));
            HARMONY_OK
        }
        Err(Unresolved::ConstrainedParseFailed) => HARMONY_CUT,
        Err(Unresolved::Unconstrained) => HARMONY_NONE,
    }
}
