//! Untrusted text on its way into a prompt.

use std::ffi::c_char;

use crate::pointer::{self, Slot};
use crate::{HARMONY_OK, guard, harmony_status, harmony_texts};

/// Breaks every marker in untrusted text (tool results, user text) with a U+2060 behind its `<`, so that neither this
/// parser nor a tokenizer that looks for special tokens finds one: in this text, or in it and what stands behind it.
/// What stands before it must not end in the beginning of a marker, such as `<`. On success
/// `*out` is one text that the caller frees, else NULL. O(length).
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_escape(
    data: *const c_char,
    length: usize,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends the bytes.
        let text = unsafe { pointer::utf8(data, length) }?;
        slot.fill(harmony_texts::new([harmony::escape(text)]));
        Ok(HARMONY_OK)
    })
}

/// Takes back exactly what harmony_escape did; else as there.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_unescape(
    data: *const c_char,
    length: usize,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends the bytes.
        let text = unsafe { pointer::utf8(data, length) }?;
        slot.fill(harmony_texts::new([harmony::unescape(text)]));
        Ok(HARMONY_OK)
    })
}
