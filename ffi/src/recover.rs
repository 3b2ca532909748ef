//! What can be saved of a tool call with a leak in it.

use std::ffi::c_char;

use harmony::leak::{CONTINUATION, Classes, Detection, Registry, Signal, Surface, Tool, recover};

use crate::guard::{self, Handle};
use crate::leak::offset;
use crate::names::c_text;
use crate::pointer::{self, Slot, output, shared, unique};
use crate::status::Outcome;
use crate::{HARMONY_NONE, HARMONY_OK, harmony_status, harmony_texts};

/// The tools whose input can be cut. Made by harmony_registry_new, freed by harmony_registry_free.
pub struct harmony_registry(pub(crate) Handle<Registry>);

/// Makes a registry. With `defaults` other than 0 it has `edit` (input that begins with `@`) and `eval` (any), both with
/// the sentinel "\n*** Abort\n"; else it is empty. On success `*out` is a handle that the caller frees, else NULL.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_registry_new(
    defaults: i32,
    out: *mut *mut harmony_registry,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        let registry = if defaults != 0 { Registry::default() } else { Registry::empty() };
        slot.fill(harmony_registry(Handle::new(registry)));
        Ok(HARMONY_OK)
    })
}

/// Adds a tool, or changes the one with this name. Input that begins, after white space, with `prefix` can be cut (any,
/// if the prefix is empty); `sentinel` then ends it. The texts are copied and must be UTF-8.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a length), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_registry_add(
    registry: *mut harmony_registry,
    name: *const c_char,
    name_length: usize,
    prefix: *const c_char,
    prefix_length: usize,
    sentinel: *const c_char,
    sentinel_length: usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller has a live handle, used by nobody else now.
        let registry = unsafe { unique(registry) }?;
        // SAFETY: the caller lends the bytes.
        let name = unsafe { pointer::utf8(name, name_length) }?;
        // SAFETY: the same.
        let prefix = unsafe { pointer::utf8(prefix, prefix_length) }?;
        // SAFETY: the same.
        let sentinel = unsafe { pointer::utf8(sentinel, sentinel_length) }?.to_owned();
        registry.0.change(|registry| {
            let tool = match prefix {
                "" => Tool::any(sentinel),
                _ => Tool::beginning_with(prefix.to_owned(), sentinel),
            };
            registry.register(name, tool);
            Ok(HARMONY_OK)
        })
    })
}

/// Frees a registry. NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_registry_free(registry: *mut harmony_registry) {
    // SAFETY: the caller gives up a handle of ours.
    guard::guard((), || unsafe { pointer::release(registry) });
}

/// Cuts the string that a call of `tool` is about, in which harmony_leak_detect found its first signal at
/// `signal_start` on HARMONY_SURFACE_TOOL_ARG, at the start of that signal's line. `registry` may be NULL: the defaults.
///
/// HARMONY_OK: `*clean` is one text that the caller frees, what can be run. HARMONY_NONE: the registry does not have the
/// tool, the tool does not accept the input, or nothing would be left; `*clean` is NULL, throw the call away. Either
/// way `*removed` is the offset in `input` from which on text is lost, for the audit event.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a length, a start that is no place in the input), HARMONY_E_UTF8,
/// HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_leak_recover(
    registry: *const harmony_registry,
    tool: *const c_char,
    tool_length: usize,
    input: *const c_char,
    input_length: usize,
    signal_start: u64,
    clean: *mut *mut harmony_texts,
    removed: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends both outputs.
        let (slot, removed) = unsafe { (Slot::at(clean), output(removed, 0)) };
        let (slot, removed) = (slot?, removed?);
        // SAFETY: the caller lends the bytes.
        let tool = unsafe { pointer::utf8(tool, tool_length) }?;
        // SAFETY: the same.
        let input = unsafe { pointer::utf8(input, input_length) }?;
        let start = place(input, signal_start)?;
        let detection = detection(tool, start);
        let recovered = |registry: &Registry| recover(input, &detection, registry);
        // SAFETY: the caller has a live handle, or none.
        let recovered = match unsafe { shared(registry) } {
            Ok(registry) => registry.0.look(|registry| Ok(recovered(registry)))?,
            Err(_) => recovered(&Registry::default()),
        };
        let Some(recovered) = recovered else {
            *removed = start;
            return Ok(HARMONY_NONE);
        };
        *removed = input.len() - recovered.removed.len();
        slot.fill(harmony_texts::new([recovered.clean]));
        Ok(HARMONY_OK)
    })
}

/// What to say to the model, as the next user message, after a recovered call has run: a static string, terminated by
/// NUL, that asks for what was lost.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_leak_continuation() -> *const c_char {
    guard::guard(c"".as_ptr(), || c_text!(CONTINUATION).as_ptr())
}

/// A start of a signal in `input`.
pub(crate) fn place(input: &str, start: u64) -> Outcome<usize> {
    let start = offset(start)?;
    if input.is_char_boundary(start) { Ok(start) } else { Err(crate::HARMONY_E_ARGUMENT) }
}

/// As much of a detection as recovery looks at.
pub(crate) fn detection(tool: &str, start: usize) -> Detection {
    Detection {
        surface: Surface::ToolArg,
        content_index: None,
        tool_name: Some(tool.to_owned()),
        tool_call_id: None,
        signals: vec![Signal { classes: Classes::NONE, start, end: start }],
    }
}
