//! Control tokens, and the cheap look for them.

use std::ffi::c_char;

use harmony::Control;

use crate::numbers::{self, control_number};
use crate::{guard, names, pointer};

/// The control token (HARMONY_CONTROL_) with this id in the `o200k_harmony` vocabulary of gpt-oss, or 0 if the token
/// is none.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_control_from_token_id(token_id: u32) -> u32 {
    guard::guard(0, || Control::from_token_id(token_id).map_or(0, control_number))
}

/// The id of a control token in the `o200k_harmony` vocabulary, or 0 if `control` is none of HARMONY_CONTROL_.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_control_token_id(control: u32) -> u32 {
    guard::guard(0, || numbers::control(control).map_or(0, Control::token_id))
}

/// How a control token is spelled in text: a static string, empty if `control` is none of HARMONY_CONTROL_.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_control_literal(control: u32) -> *const c_char {
    guard::guard(c"".as_ptr(), || numbers::control(control).map_or(c"", names::literal).as_ptr())
}

/// 1 if the text may hold a harmony message (`<|message|>` behind `<|channel|>` or `<|start|>`), else 0. A cheap look,
/// O(length): only parsing knows whether it does. NULL is an empty text.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_is_harmony(data: *const c_char, length: usize) -> i32 {
    guard::guard(0, || {
        // SAFETY: the caller lends `length` bytes.
        let text = unsafe { pointer::bytes(data, length) };
        guard::trip();
        text.map_or(0, |text| i32::from(harmony::is_harmony(text)))
    })
}
