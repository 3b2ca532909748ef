//! One-shot parsing.

use std::ffi::c_char;

use harmony::{Parsed, ToolCall};

use crate::guard::{self, Handle};
use crate::numbers::call_number;
use crate::pointer::{self, Slot, growing, shared};
use crate::status::Outcome;
use crate::{HARMONY_E_ARGUMENT, HARMONY_E_INPUT, HARMONY_INPUT_TOKENS, HARMONY_OK};
use crate::{harmony_options, harmony_status, harmony_summary, options};

/// A whole text, split. Made by harmony_parse, freed by harmony_message_free; it keeps nothing of the caller's. All
/// functions on it are const: they may run side by side, and pointers they return are valid until it is freed.
pub struct harmony_message(Handle<Parsed<'static, [u8]>>);

/// Splits a whole text of `length` bytes at once. `options` may be NULL: the defaults; `max_bytes` has no effect. Every
/// text has a result. On success `*out` is a handle that the caller frees, else NULL.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (an option's number or `size`, `length`), HARMONY_E_INPUT
/// (HARMONY_INPUT_TOKENS), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_parse(
    options: *const harmony_options,
    data: *const c_char,
    length: usize,
    out: *mut *mut harmony_message,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends options that begin with their size.
        let options = unsafe { options::read(options) }?;
        // SAFETY: the caller lends the bytes.
        let text = unsafe { pointer::bytes(data, length) }?;
        if options.input == HARMONY_INPUT_TOKENS {
            return Err(HARMONY_E_INPUT);
        }
        let parsed = harmony::parse_with(text, options.core()?).into_owned();
        slot.fill(harmony_message(Handle::new(parsed)));
        Ok(HARMONY_OK)
    })
}

/// The answer, after a failure the whole text; `*length` (`length` may be NULL) is its length in bytes. NULL, and
/// length 0, if `message` is NULL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_content(
    message: *const harmony_message,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: the caller lends both.
    guard::guard(std::ptr::null(), || unsafe { text(message, length, |parsed| Ok(&parsed.content)) })
}

/// The chain of thought; else as harmony_message_content.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_reasoning(
    message: *const harmony_message,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: the caller lends both.
    guard::guard(std::ptr::null(), || unsafe { text(message, length, |parsed| Ok(&parsed.reasoning)) })
}

/// How many tool calls there are; 0 if `message` is NULL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_call_count(message: *const harmony_message) -> usize {
    guard::guard(0, || {
        // SAFETY: the caller has a live handle.
        let message = unsafe { shared(message) };
        message.and_then(|message| message.0.look(|parsed| Ok(parsed.tool_calls.len()))).unwrap_or(0)
    })
}

/// The name of tool call `index`, without `functions.`; NULL, and length 0, if there is no such call. Else as
/// harmony_message_content.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_call_name(
    message: *const harmony_message,
    index: usize,
    length: *mut usize,
) -> *const c_char {
    // SAFETY: the caller lends both.
    guard::guard(std::ptr::null(), || unsafe {
        text(message, length, |parsed| Ok(&call(parsed, index)?.name))
    })
}

/// The recipient of tool call `index` as it was written; else as harmony_message_call_name.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_call_recipient(
    message: *const harmony_message,
    index: usize,
    length: *mut usize,
) -> *const c_char {
    guard::guard(std::ptr::null(), || {
        // SAFETY: the caller lends both.
        unsafe { text(message, length, |parsed| Ok(&call(parsed, index)?.recipient)) }
    })
}

/// The arguments of tool call `index`, without white space around them; else as harmony_message_call_name.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_call_arguments(
    message: *const harmony_message,
    index: usize,
    length: *mut usize,
) -> *const c_char {
    guard::guard(std::ptr::null(), || {
        // SAFETY: the caller lends both.
        unsafe { text(message, length, |parsed| Ok(&call(parsed, index)?.arguments)) }
    })
}

/// How complete tool call `index` is (HARMONY_CALL_); 0 if there is no such call.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_call_status(message: *const harmony_message, index: usize) -> u32 {
    guard::guard(0, || {
        // SAFETY: the caller has a live handle.
        let message = unsafe { shared(message) };
        let status = |message: &harmony_message| message.0.look(|parsed| Ok(call(parsed, index)?.status));
        message.and_then(status).map_or(0, call_number)
    })
}

/// Writes how the text ended; `failure` says whether it left the grammar.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`size`), HARMONY_E_PANIC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_summary(
    message: *const harmony_message,
    out: *mut harmony_summary,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a struct that begins with its size.
        let place = unsafe { growing(out) }?;
        // SAFETY: the caller has a live handle.
        let message = unsafe { shared(message) }?;
        place.fill(&message.0.look(|parsed| Ok(parsed.finish))?);
        Ok(HARMONY_OK)
    })
}

/// Frees a message. NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_message_free(message: *mut harmony_message) {
    // SAFETY: the caller gives up a handle of ours.
    guard::guard((), || unsafe { pointer::release(message) });
}

/// # Safety
///
/// `message` is NULL or a live handle, `length` NULL or room for a number.
unsafe fn text(
    message: *const harmony_message,
    length: *mut usize,
    part: impl for<'a> FnOnce(&'a Parsed<'static, [u8]>) -> Outcome<&'a [u8]>,
) -> *const c_char {
    // SAFETY: the caller vouches for the handle.
    let find = || unsafe { shared(message) }?.0.look(|parsed| Ok(std::ptr::from_ref(part(parsed)?)));
    // SAFETY: the caller vouches for the counter.
    unsafe { pointer::text(length, find) }
}

fn call<'a>(parsed: &'a Parsed<'static, [u8]>, index: usize) -> Outcome<&'a ToolCall<'static, [u8]>> {
    parsed.tool_calls.get(index).ok_or(HARMONY_E_ARGUMENT)
}

const _: fn() = || {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<harmony_message>();
};
