//! Texts that the library makes for the caller.

use std::ffi::c_char;

use crate::HARMONY_E_ARGUMENT;
use crate::guard::{self, Handle};
use crate::pointer::{self, shared};
use crate::status::Outcome;

/// One text or several that a function made, freed by harmony_texts_free. All functions on it are const, and pointers
/// they return are valid until it is freed.
pub struct harmony_texts(Handle<Vec<Text>>);

/// With a NUL behind it.
struct Text(Vec<u8>);

impl harmony_texts {
    pub(crate) fn new<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> harmony_texts {
        let terminated = |text: T| {
            let mut bytes = text.into().into_bytes();
            bytes.push(0);
            Text(bytes)
        };
        harmony_texts(Handle::new(texts.into_iter().map(terminated).collect()))
    }
}

/// How many texts there are; 0 if `texts` is NULL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_texts_count(texts: *const harmony_texts) -> usize {
    guard::guard(0, || {
        // SAFETY: the caller has a live handle.
        let texts = unsafe { shared(texts) };
        texts.and_then(|texts| texts.0.look(|texts| Ok(texts.len()))).unwrap_or(0)
    })
}

/// Text number `index`, terminated by NUL, which does not count into `*length` (`length` may be NULL). NULL, and
/// length 0, if there is no such text.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_texts_get(
    texts: *const harmony_texts,
    index: usize,
    length: *mut usize,
) -> *const c_char {
    guard::guard(std::ptr::null(), || {
        // SAFETY: the caller has a live handle.
        let find = || unsafe { shared(texts) }?.0.look(|texts| text(texts, index));
        // SAFETY: the caller lends the counter.
        unsafe { pointer::text(length, find) }
    })
}

/// Frees the texts. NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_texts_free(texts: *mut harmony_texts) {
    // SAFETY: the caller gives up a handle of ours.
    guard::guard((), || unsafe { pointer::release(texts) });
}

fn text(texts: &[Text], index: usize) -> Outcome<*const [u8]> {
    let Text(bytes) = texts.get(index).ok_or(HARMONY_E_ARGUMENT)?;
    // The pointer must be good for the NUL too, so it comes from the whole.
    Ok(std::ptr::slice_from_raw_parts(bytes.as_ptr(), bytes.len() - 1))
}
