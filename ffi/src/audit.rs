//! What a log may know of removed text.

use std::ffi::c_char;

use harmony::leak::{is_mitigation_target, preview, sha8, utf16_len};

use crate::status::Outcome;
use crate::{HARMONY_E_ARGUMENT, HARMONY_OK, guard, harmony_status, pointer};

/// What a log may know of a removed text without holding it. Initialise it with HARMONY_AUDIT_INIT. Fields are only ever
/// added at the end; `size` tells the library which ones there are. The rest of an audit event (HARMONY_ACTION_, the
/// surface, label, retry, model, provider, tool) is the host's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct harmony_audit {
    /// sizeof(harmony_audit).
    pub size: usize,
    /// Length of the removed text in UTF-16 units.
    pub removed_length: u64,
    /// Its length in bytes.
    pub removed_bytes: u64,
    /// The first 8 hex digits of its SHA-512/256, terminated by NUL.
    pub removed_sha8: [c_char; 16],
    /// Its first 64 UTF-16 units, with U+00B7 for all that may be the user's; terminated by NUL.
    pub removed_preview: [c_char; 208],
}

/// Fills in what a log may know of `length` bytes of removed text, which must be UTF-8.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`size`, `length`), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_leak_audit(
    removed: *const c_char,
    length: usize,
    out: *mut harmony_audit,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a struct that begins with its size.
        let place = unsafe { pointer::growing(out) }?;
        // SAFETY: the caller lends the bytes.
        let removed = unsafe { pointer::utf8(removed, length) }?;
        place.removed_length = utf16_len(removed) as u64;
        place.removed_bytes = removed.len() as u64;
        copy(&sha8(removed), &mut place.removed_sha8)?;
        copy(&preview(removed), &mut place.removed_preview)?;
        Ok(HARMONY_OK)
    })
}

/// 1 if answers of this provider should be checked, whatever the model (today `openai-codex`), else 0. All else is the
/// host's decision.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_leak_is_target(provider: *const c_char, length: usize) -> i32 {
    guard::guard(0, || {
        // SAFETY: the caller lends the bytes.
        let provider = unsafe { pointer::utf8(provider, length) };
        provider.map_or(0, |provider| i32::from(is_mitigation_target(provider)))
    })
}

/// Room is zero already, so what is behind the text ends it.
fn copy(text: &str, room: &mut [c_char]) -> Outcome<()> {
    let room = room.get_mut(..=text.len()).ok_or(HARMONY_E_ARGUMENT)?;
    room.iter_mut().zip(text.bytes()).for_each(|(place, byte)| *place = byte as c_char);
    Ok(())
}
