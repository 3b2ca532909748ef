//! The push parser.

use std::ffi::c_char;

use harmony::Parser;

use crate::event::Writer;
use crate::guard::{self, Handle};
use crate::options;
use crate::pointer::{self, Batch, Slot, growing, shared, unique};
use crate::status::failed;
use crate::{HARMONY_E_ARGUMENT, HARMONY_MORE, HARMONY_OK};
use crate::{harmony_event, harmony_options, harmony_status, harmony_summary, numbers};

/// Splits one stream while it comes in. Made by harmony_stream_new or harmony_stream_clone, freed by
/// harmony_stream_free. It holds the text that was pushed, and little else.
pub struct harmony_stream(Handle<Stream>);

#[derive(Clone)]
struct Stream {
    parser: Parser<[u8]>,
    writer: Writer,
}

impl Stream {
    /// Moves events out.
    #[inline]
    fn give(&mut self, batch: Batch<'_, harmony_event>) -> harmony_status {
        let Stream { parser, writer } = self;
        let mut events = parser.events();
        batch.fill(|| events.next_span().map(|(event, position)| writer.event(event, position)));
        if events.remaining() == 0 { HARMONY_OK } else { HARMONY_MORE }
    }
}

/// Makes a parser for one stream. `options` may be NULL: the defaults. On success `*out` is a handle that the caller
/// frees, else NULL.
///
/// Errors: HARMONY_E_NULL (`out`), HARMONY_E_ARGUMENT (an option's number or `size`), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_new(
    options: *const harmony_options,
    out: *mut *mut harmony_stream,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends options that begin with their size.
        let options = unsafe { options::read(options) }?.core()?;
        let stream = Stream { parser: Parser::new(options), writer: Writer::default() };
        slot.fill(harmony_stream(Handle::new(stream)));
        Ok(HARMONY_OK)
    })
}

/// Takes the next `length` bytes of the stream, cut wherever you like, and writes the events that became certain with
/// them: at most `capacity` to `events`, and how many to `*count`. The bytes are copied; `data` may be NULL if `length`
/// is 0, `events` if `capacity` is 0.
///
/// HARMONY_MORE says that not all events found room. Fetch them with harmony_stream_drain, or leave them: they come
/// first the next time. Nothing is lost and no push is refused because of them.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`length`), HARMONY_E_FINISHED, HARMONY_E_LIMIT (`max_bytes`: nothing of
/// the chunk was taken), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_push(
    stream: *mut harmony_stream,
    data: *const c_char,
    length: usize,
    events: *mut harmony_event,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(events, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let stream = unsafe { unique(stream) }?;
        // SAFETY: the caller lends the bytes.
        let chunk = unsafe { pointer::bytes(data, length) }?;
        stream.0.change(|stream| {
            stream.parser.push(chunk).map_err(failed)?;
            Ok(stream.give(batch))
        })
    })
}

/// Takes a control token (HARMONY_CONTROL_) that the sampler knows by its id. Only with HARMONY_INPUT_TOKENS; else as
/// harmony_stream_push. The text of the stream holds its literal.
///
/// Errors: also HARMONY_E_ARGUMENT (`control`), HARMONY_E_INPUT (control tokens are read from the text).
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_push_control(
    stream: *mut harmony_stream,
    control: u32,
    events: *mut harmony_event,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(events, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let stream = unsafe { unique(stream) }?;
        let control = numbers::control(control).ok_or(HARMONY_E_ARGUMENT)?;
        stream.0.change(|stream| {
            stream.parser.push_control(control).map_err(failed)?;
            Ok(stream.give(batch))
        })
    })
}

/// Ends the stream. The last event is HARMONY_EVENT_FINISH; for the array as in harmony_stream_push.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_FINISHED (the second time), HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_finish(
    stream: *mut harmony_stream,
    events: *mut harmony_event,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(events, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let stream = unsafe { unique(stream) }?;
        stream.0.change(|stream| {
            stream.parser.finish().map_err(failed)?;
            Ok(stream.give(batch))
        })
    })
}

/// Writes events that found no room before, after a finish too; for the array as in harmony_stream_push. HARMONY_OK:
/// none is left.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_drain(
    stream: *mut harmony_stream,
    events: *mut harmony_event,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the array and the counter.
        let batch = unsafe { Batch::at(events, capacity, count) }?;
        // SAFETY: the caller has a live handle, used by nobody else now.
        let stream = unsafe { unique(stream) }?;
        stream.0.change(|stream| Ok(stream.give(batch)))
    })
}

/// All that was pushed, control tokens as their literals; `*length` (`length` may be NULL) is its length in bytes.
/// The pointer is valid until the next call on this stream that is not const; offsets in events are valid until a
/// reset. NULL, and length 0, if `stream` is NULL or a call on it panicked.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_text(
    stream: *const harmony_stream,
    length: *mut usize,
) -> *const c_char {
    guard::guard(std::ptr::null(), || {
        // SAFETY: the caller has a live handle that nobody changes now.
        let find =
            || unsafe { shared(stream) }?.0.look(|stream| Ok(stream.parser.transcript() as *const [u8]));
        // SAFETY: the caller lends the counter.
        unsafe { pointer::text(length, find) }
    })
}

/// How many bytes at the end of the text wait for what follows: they are in no event yet. 0 after a finish.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_held(stream: *const harmony_stream) -> usize {
    guard::guard(0, || {
        // SAFETY: the caller has a live handle that nobody changes now.
        let stream = unsafe { shared(stream) };
        stream.and_then(|stream| stream.0.look(|stream| Ok(stream.parser.held()))).unwrap_or(0)
    })
}

/// Writes how the stream ended, or how it stands before the end.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (`size`), HARMONY_E_PANIC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_summary(
    stream: *const harmony_stream,
    out: *mut harmony_summary,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a struct that begins with its size.
        let place = unsafe { growing(out) }?;
        // SAFETY: the caller has a live handle that nobody changes now.
        let stream = unsafe { shared(stream) }?;
        place.fill(&stream.0.look(|stream| Ok(stream.parser.summary()))?);
        Ok(HARMONY_OK)
    })
}

/// Makes the stream as new, with the same options. Its memory is kept for the next one.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_PANIC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_reset(stream: *mut harmony_stream) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller has a live handle, used by nobody else now.
        let stream = unsafe { unique(stream) }?;
        stream.0.change(|stream| {
            stream.parser.reset();
            stream.writer = Writer::default();
            Ok(HARMONY_OK)
        })
    })
}

/// Copies a stream with all it holds, events that wait included; both go on on their own. On success `*out` is a
/// handle that the caller frees, else NULL.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_clone(
    stream: *const harmony_stream,
    out: *mut *mut harmony_stream,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller has a live handle that nobody changes now.
        let stream = unsafe { shared(stream) }?;
        slot.fill(harmony_stream(Handle::new(stream.0.look(|stream| Ok(stream.clone()))?)));
        Ok(HARMONY_OK)
    })
}

/// Frees a stream, in any state. NULL is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_stream_free(stream: *mut harmony_stream) {
    // SAFETY: the caller gives up a handle of ours.
    guard::guard((), || unsafe { pointer::release(stream) });
}

/// A handle may move between threads, and `const` calls may run side by side.
const _: fn() = || {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<harmony_stream>();
};
