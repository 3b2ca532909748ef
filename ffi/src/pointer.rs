//! What comes in as a pointer, and what goes out through one.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::slice;

use crate::guard::trip;
use crate::status::Outcome;
use crate::{HARMONY_E_ARGUMENT, HARMONY_E_NULL, HARMONY_E_UTF8};

/// The bytes at `data`; NULL with length 0 is none.
///
/// # Safety
///
/// `data` is NULL or points to `length` bytes that nothing changes during `'a`.
#[inline]
pub(crate) unsafe fn bytes<'a>(data: *const c_char, length: usize) -> Outcome<&'a [u8]> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(HARMONY_E_NULL);
    }
    if length > isize::MAX as usize {
        return Err(HARMONY_E_ARGUMENT);
    }
    // SAFETY: not NULL, and the caller vouches for the bytes.
    Ok(unsafe { slice::from_raw_parts(data.cast(), length) })
}

/// The same for functions that work on text: it must be UTF-8.
///
/// # Safety
///
/// As for [`bytes`].
pub(crate) unsafe fn utf8<'a>(data: *const c_char, length: usize) -> Outcome<&'a str> {
    // SAFETY: the caller vouches for the bytes.
    std::str::from_utf8(unsafe { bytes(data, length) }?).map_err(|_| HARMONY_E_UTF8)
}

/// The `count` values at `data`; NULL with count 0 is none.
///
/// # Safety
///
/// `data` is NULL or points to `count` values that nothing changes during `'a`.
pub(crate) unsafe fn values<'a, T>(data: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(HARMONY_E_NULL);
    }
    if count > isize::MAX as usize / size_of::<T>() {
        return Err(HARMONY_E_ARGUMENT);
    }
    // SAFETY: not NULL, and the caller vouches for the values.
    Ok(unsafe { slice::from_raw_parts(data, count) })
}

/// An array that the caller lends for results, and how many there are in it: 0 until [`Batch::fill`].
pub(crate) struct Batch<'a, T> {
    room: &'a mut [MaybeUninit<T>],
    count: &'a mut usize,
}

impl<T: Copy> Batch<'_, T> {
    /// # Safety
    ///
    /// `data` is NULL or points to memory for `capacity` values, initialised or not, that nothing else uses during
    /// `'a`; `count` is as for [`output`].
    #[inline]
    pub(crate) unsafe fn at<'a>(data: *mut T, capacity: usize, count: *mut usize) -> Outcome<Batch<'a, T>> {
        // SAFETY: the caller vouches for it.
        let count = unsafe { output(count, 0) }?;
        if capacity == 0 {
            return Ok(Batch { room: &mut [], count });
        }
        if data.is_null() {
            return Err(HARMONY_E_NULL);
        }
        // No array is longer than this, whatever the caller says; a slice must not be.
        let capacity = capacity.min(isize::MAX as usize / size_of::<T>());
        // SAFETY: not NULL, and the caller vouches for the memory.
        Ok(Batch { room: unsafe { slice::from_raw_parts_mut(data.cast(), capacity) }, count })
    }

    /// Writes what `next` gives, as long as there is room.
    #[inline]
    pub(crate) fn fill(self, mut next: impl FnMut() -> Option<T>) {
        for place in self.room {
            let Some(value) = next() else { return };
            place.write(value);
            *self.count += 1;
        }
    }

    /// The same, for one who has all `total` values at hand: the count tells of those without room too. Whether all
    /// found room.
    pub(crate) fn fill_and_count(self, next: impl FnMut() -> Option<T>, total: usize) -> bool {
        let Batch { room, count } = self;
        let fits = room.len() >= total;
        Batch { room, count: &mut *count }.fill(next);
        *count = total;
        fits
    }
}

/// What `pointer` points to.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that nothing changes during `'a`.
#[inline]
pub(crate) unsafe fn shared<'a, T>(pointer: *const T) -> Outcome<&'a T> {
    // SAFETY: the caller vouches for it.
    unsafe { pointer.as_ref() }.ok_or(HARMONY_E_NULL)
}

/// What `pointer` points to, to be changed.
///
/// # Safety
///
/// `pointer` is NULL or points to a `T` that nothing else uses during `'a`.
#[inline]
pub(crate) unsafe fn unique<'a, T>(pointer: *mut T) -> Outcome<&'a mut T> {
    // SAFETY: the caller vouches for it.
    unsafe { pointer.as_mut() }.ok_or(HARMONY_E_NULL)
}

/// An output: holds `value` from here on, whatever happens then.
///
/// # Safety
///
/// `pointer` is NULL or points to memory for a `T`, initialised or not, that nothing else uses during `'a`.
#[inline]
pub(crate) unsafe fn output<'a, T: Copy>(pointer: *mut T, value: T) -> Outcome<&'a mut T> {
    // SAFETY: the caller vouches for it; a `MaybeUninit` may be uninitialised.
    let place = unsafe { pointer.cast::<MaybeUninit<T>>().as_mut() }.ok_or(HARMONY_E_NULL)?;
    Ok(place.write(value))
}

/// A struct that begins with its size, for the caller's side may know more or fewer fields: all but the size is zero
/// from here on, whatever happens then.
///
/// # Safety
///
/// `T` is plain numbers, the first of them the size. `pointer` is NULL or points to a `size_t` that tells how many bytes
/// there are, itself counted, that nothing else uses during `'a`.
pub(crate) unsafe fn growing<'a, T>(pointer: *mut T) -> Outcome<&'a mut T> {
    if pointer.is_null() {
        return Err(HARMONY_E_NULL);
    }
    // SAFETY: every version of the struct begins with its size.
    let size = unsafe { pointer.cast::<usize>().read() };
    // Nobody has a struct of more than a page: such a size was never set.
    if !(size_of::<T>()..=4096).contains(&size) {
        return Err(HARMONY_E_ARGUMENT);
    }
    let head = size_of::<usize>();
    // SAFETY: the caller vouches for `size` bytes. What a newer caller has behind our fields is zero too.
    unsafe { pointer.cast::<u8>().add(head).write_bytes(0, size - head) };
    // SAFETY: there is room for all fields, and all are initialised.
    Ok(unsafe { &mut *pointer })
}

/// An output for a new handle: NULL until [`Slot::fill`].
pub(crate) struct Slot<'a, T>(&'a mut *mut T);

impl<T> Slot<'_, T> {
    /// # Safety
    ///
    /// As for [`output`].
    pub(crate) unsafe fn at<'a>(out: *mut *mut T) -> Outcome<Slot<'a, T>> {
        // SAFETY: the caller vouches for it.
        Ok(Slot(unsafe { output(out, std::ptr::null_mut()) }?))
    }

    /// The caller owns it now, and gives it back to [`release`].
    pub(crate) fn fill(self, value: T) {
        trip();
        *self.0 = Box::into_raw(Box::new(value));
    }
}

/// Frees what [`Slot::fill`] gave; NULL is nothing.
///
/// # Safety
///
/// `pointer` is NULL or came from [`Slot::fill`] with the same `T`, and is never used again.
pub(crate) unsafe fn release<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: it came from `Box::into_raw`, and the caller gives it up.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// A text that goes out as a pointer and a length.
///
/// # Safety
///
/// `length` is as for [`output`]; NULL here says that the caller does not want it.
#[inline]
pub(crate) unsafe fn text(length: *mut usize, find: impl FnOnce() -> Outcome<*const [u8]>) -> *const c_char {
    // SAFETY: the caller vouches for it.
    let mut length = unsafe { output(length, 0) }.ok();
    let Ok(found) = find() else { return std::ptr::null() };
    if let Some(length) = &mut length {
        **length = found.len();
    }
    // An empty text of Rust may point anywhere; C gets one that it can even print.
    if found.len() == 0 { c"".as_ptr() } else { found.cast() }
}
