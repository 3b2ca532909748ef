//! Leaks of protocol text while it streams.

use std::collections::VecDeque;
use std::ffi::c_char;

use harmony::leak::{DetectOptions, Detector, Surface};

use crate::guard::{self, Handle};
use crate::leak::{harmony_signal, known_end};
use crate::pointer::{self, Batch, Slot, shared, unique};
use crate::status::Outcome;
use crate::{HARMONY_E_ARGUMENT, HARMONY_E_FINISHED, HARMONY_MORE, HARMONY_OK, harmony_status, numbers};

/// Searches one text while it streams, with a window of less than 64 KB, and 24 bytes for each signal
/// that waits: to be drained, or on tool arguments for the first one with T. Made by harmony_detector_new or
/// harmony_detector_clone, freed by harmony_detector_free.
pub struct harmony_detector(Handle<Streaming>);

#[derive(Clone)]
struct Streaming {
    detector: Detector,
    /// Signals that found no room.
    waiting: VecDeque<harmony_signal>,
    finished: bool,
}

impl Streaming {
    fn new(surface: Surface, parsed_end: Option<usize>) -> Streaming {
        let detector = Detector::new(surface, DetectOptions::new().parsed_end(parsed_end));
        Streaming { detector, waiting: VecDeque::new(), finished: false }
    }

    fn open(&mut self) -> Outcome<&mut Streaming> {
        if self.finished { Err(HARMONY_E_FINISHED) } else { Ok(self) }
    }

    fn push(&mut self, piece: &[u8]) -> Outcome<&mut Streaming> {
        let Streaming { detector, waiting, .. } = self.open()?;
        waiting.extend(detector.push(piece).iter().map(|&signal| harmony_signal::from(signal)));
        Ok(self)
    }

    fn set_parsed_end(&mut self, end: usize) -> Outcome<&mut Streaming> {
        let Streaming { detector, waiting, .. } = self.open()?;
        waiting.extend(detector.set_parsed_end(end).iter().map(|&signal| harmony_signal::from(signal)));
        Ok(self)
    }

    fn finish(&mut self) -> Outcome<&mut Streaming> {
        let Streaming { detector, waiting, finished } = self.open()?;
        *finished = true;
        waiting.extend(detector.finish().iter().map(|&signal| harmony_signal::from(signal)));
        Ok(self)
    }

    fn give(&mut self, batch: Batch<'_, harmony_signal>) -> harmony_status {
        batch.fill(|| self.waiting.pop_front());
        if self.waiting.is_empty() { HARMONY_OK } else { HARMONY_MORE }
    }
}

/// Makes a detector for one text; `surface` and `parsed_end` as in harmony_leak_detect, but the end may be told later.
/// On success `*out` is a handle that the caller frees, else NULL.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`surface`), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_new(
    surface: u32,
    parsed_end: u64,
    out: *mut *mut harmony_detector,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        let surface = numbers::surface(surface).ok_or(HARMONY_E_ARGUMENT)?;
        let streaming = Streaming::new(surface, known_end(parsed_end));
        slot.fill(harmony_detector(Handle::new(streaming)));
        Ok(HARMONY_OK)
    })
}

/// Takes the next `length` bytes of the text and writes the signals that are certain now: at most `capacity` to
/// `signals`, and how many to `*count`. HARMONY_MORE: more wait; they come with harmony_detector_drain or first the next
/// time. A signal is certain as soon as 240 UTF-16 units from its start and 200 behind its end are there.
/// All together are those of harmony_leak_detect for the whole text.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_FINISHED, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_push(
    detector: *mut harmony_detector,
    data: *const c_char,
    length: usize,
    signals: *mut harmony_signal,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(signals, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let detector = unsafe { unique(detector) }?;
        // SAFETY: the caller lends the bytes.
        let piece = unsafe { pointer::bytes(data, length) }?;
        detector.0.change(|streaming| Ok(streaming.push(piece)?.give(batch)))
    })
}

/// Tells where a valid parse of the tool's arguments ends, in bytes from the start of the text. The first end that is
/// told counts. On HARMONY_SURFACE_TOOL_ARG it may come any time before the finish; else it counts for signals that were
/// not given yet. For the array as in harmony_detector_push.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (HARMONY_NO_END), HARMONY_E_FINISHED, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_set_parsed_end(
    detector: *mut harmony_detector,
    parsed_end: u64,
    signals: *mut harmony_signal,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(signals, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let detector = unsafe { unique(detector) }?;
        let end = known_end(parsed_end).ok_or(HARMONY_E_ARGUMENT)?;
        detector.0.change(|streaming| Ok(streaming.set_parsed_end(end)?.give(batch)))
    })
}

/// Ends the text and writes the signals that waited for more of it; for the array as in harmony_detector_push.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_FINISHED (the second time), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_finish(
    detector: *mut harmony_detector,
    signals: *mut harmony_signal,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(signals, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let detector = unsafe { unique(detector) }?;
        detector.0.change(|streaming| Ok(streaming.finish()?.give(batch)))
    })
}

/// Writes signals that found no room before; for the array as in harmony_detector_push.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_drain(
    detector: *mut harmony_detector,
    signals: *mut harmony_signal,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(signals, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let detector = unsafe { unique(detector) }?;
        detector.0.change(|streaming| Ok(streaming.give(batch)))
    })
}

/// 1 if there was a signal so far, given out or not: stop the model as soon as this is so. Else 0.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_detected(detector: *const harmony_detector) -> i32 {
    guard::guard(0, || {
        // SAFETY: the caller has a live handle that nobody changes now.
        let detector = unsafe { shared(detector) };
        let detected = |detector: &harmony_detector| detector.0.look(|it| Ok(it.detector.detected()));
        detector.and_then(detected).map_or(0, i32::from)
    })
}

/// Forgets the text and starts another one, with another surface and end if you like.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`surface`), HARMONY_E_PANIC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_reset(
    detector: *mut harmony_detector,
    surface: u32,
    parsed_end: u64,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller has a live handle, used by nobody else now.
        let detector = unsafe { unique(detector) }?;
        let surface = numbers::surface(surface).ok_or(HARMONY_E_ARGUMENT)?;
        detector.0.change(|streaming| {
            let options = DetectOptions::new().parsed_end(known_end(parsed_end));
            streaming.detector.reset(surface, options);
            streaming.waiting.clear();
            streaming.finished = false;
            Ok(HARMONY_OK)
        })
    })
}

/// Copies a detector; both go on on their own. On success `*out` is a handle that the caller frees, else NULL.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_clone(
    detector: *const harmony_detector,
    out: *mut *mut harmony_detector,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller has a live handle that nobody changes now.
        let detector = unsafe { shared(detector) }?;
        slot.fill(harmony_detector(Handle::new(detector.0.look(|streaming| Ok(streaming.clone()))?)));
        Ok(HARMONY_OK)
    })
}

/// Frees a detector, in any state. NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_detector_free(detector: *mut harmony_detector) {
    // SAFETY: the caller gives up a handle of ours.
    guard::guard((), || unsafe { pointer::release(detector) });
}

const _: fn() = || {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<harmony_detector>();
};
