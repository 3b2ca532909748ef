//! Leaks of protocol text in finished text.

use std::ffi::c_char;

use harmony::leak::{Classes, DetectOptions, Signal, detect, label};

use crate::pointer::{self, Batch, Slot, values};
use crate::status::Outcome;
use crate::{HARMONY_E_ARGUMENT, HARMONY_MORE, HARMONY_OK, guard, numbers};
use crate::{harmony_status, harmony_texts};

/// Stands for "no end is known"; in the header written by hand, as UINT64_MAX.
pub(crate) const NO_END: u64 = u64::MAX;

/// A place in a text where something leaked: a control token, or a marker in company. 24 bytes, no pointers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct harmony_signal {
    /// What shows it: HARMONY_CLASS_, as a sum.
    pub classes: u64,
    /// Byte offset of its first byte in the text.
    pub start: u64,
    /// Byte offset behind its last byte.
    pub end: u64,
}

impl From<Signal> for harmony_signal {
    fn from(signal: Signal) -> harmony_signal {
        harmony_signal {
            classes: u64::from(signal.classes.bits()),
            start: signal.start as u64,
            end: signal.end as u64,
        }
    }
}

impl harmony_signal {
    fn core(&self) -> Outcome<Signal> {
        let classes = u8::try_from(self.classes).map_err(|_| HARMONY_E_ARGUMENT)?;
        Ok(Signal {
            classes: Classes::from_bits(classes),
            start: offset(self.start)?,
            end: offset(self.end)?,
        })
    }
}

/// An offset into a text that lies in memory.
pub(crate) fn offset(number: u64) -> Outcome<usize> {
    usize::try_from(number).map_err(|_| HARMONY_E_ARGUMENT)
}

/// An end of arguments, if one is given. One that lies beyond all memory is behind every text.
pub(crate) fn known_end(number: u64) -> Option<usize> {
    (number != NO_END).then(|| usize::try_from(number).unwrap_or(usize::MAX))
}

/// Searches a finished text for protocol that leaked into it. Writes the signals by their start: at most `capacity` to
/// `signals`, and to `*count` how many there are in all, 0 if the text is clean. HARMONY_MORE: not all found room.
///
/// `surface` is HARMONY_SURFACE_. `parsed_end` is the byte offset at which a valid parse of a tool's arguments ends,
/// HARMONY_NO_END if none is known. Bytes that are no UTF-8 count as ordinary text. O(length).
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`surface`, `length`), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_leak_detect(
    data: *const c_char,
    length: usize,
    surface: u32,
    parsed_end: u64,
    signals: *mut harmony_signal,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(signals, capacity, count) }?;
        // SAFETY: the caller lends the bytes.
        let text = unsafe { pointer::bytes(data, length) }?;
        let surface = numbers::surface(surface).ok_or(HARMONY_E_ARGUMENT)?;
        guard::trip();
        let options = DetectOptions::new().parsed_end(known_end(parsed_end));
        let found = detect(text, surface, &options).map_or_else(Vec::new, |detection| detection.signals);
        Ok(write_all(batch, &found))
    })
}

/// Writes what there is room for, and how many there are.
pub(crate) fn write_all(batch: Batch<'_, harmony_signal>, found: &[Signal]) -> harmony_status {
    let mut rest = found.iter();
    let all_fit = batch.fill_and_count(|| rest.next().map(|&signal| signal.into()), found.len());
    if all_fit { HARMONY_OK } else { HARMONY_MORE }
}

/// The signals as one short text for logs and metrics: letters of classes joined with `+`, distinct signals with `,`,
/// first seen first; "none" for none. On success `*out` is one text that the caller frees, else NULL.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a count, classes that don't exist), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_leak_label(
    signals: *const harmony_signal,
    count: usize,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends the array.
        let signals = unsafe { values(signals, count) }?;
        let signals = signals.iter().map(harmony_signal::core).collect::<Outcome<Vec<Signal>>>()?;
        slot.fill(harmony_texts::new([label(&signals)]));
        Ok(HARMONY_OK)
    })
}
