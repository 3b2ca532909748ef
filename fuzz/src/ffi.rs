//! The C ABI under an arbitrary list of calls: hostile lengths, capacities, numbers and orders.
//!
//! The only place outside `ffi/` that needs `unsafe`, since it plays the C caller.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use arbitrary::{Arbitrary, Unstructured};
use harmony_stream_ffi::*;

/// Handles at once, so that clones and mixed-up streams occur.
const SLOTS: usize = 3;
/// Events that a call lends room for, at most.
const ROOM: usize = 5;

#[derive(Arbitrary, Debug)]
enum Call<'a> {
    New { slot: u8, options: Option<[u8; 4]>, max_bytes: u16, size: Size },
    Push { slot: u8, data: Data<'a>, room: Room },
    PushControl { slot: u8, control: u32, room: Room },
    PushToken { slot: u8, control: u8, room: Room },
    Finish { slot: u8, room: Room },
    Drain { slot: u8, room: Room },
    Look { slot: u8 },
    Reset { slot: u8 },
    Clone { from: u8, to: u8 },
    Free { slot: u8 },
    Whole { options: [u8; 4], data: Data<'a> },
    Texts { data: Data<'a>, constrained: bool },
    Detector { surface: u8, end: u16, pieces: [Data<'a>; 3], room: Room },
}

/// What a caller may have put into `size`.
#[derive(Arbitrary, Debug)]
enum Size {
    Right,
    Short(u8),
    Zero,
}

/// Text, NULL, or a length that no text has.
#[derive(Arbitrary, Debug)]
enum Data<'a> {
    Text(&'a [u8]),
    Null(u8),
    Huge(&'a [u8]),
}

impl Data<'_> {
    fn parts(&self) -> (*const c_char, usize) {
        match self {
            Data::Text(text) => (text.as_ptr().cast(), text.len()),
            Data::Null(length) => (null(), usize::from(*length)),
            Data::Huge(text) => (text.as_ptr().cast(), usize::MAX - text.len()),
        }
    }
}

/// An array of events, or what is none.
#[derive(Arbitrary, Debug)]
enum Room {
    Some(u8),
    Null(u8),
    NoCount(u8),
}

/// Plays the calls, and frees what is left.
pub fn check(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let mut slots = Slots([null_mut(); SLOTS]);
    while let Ok(call) = Call::arbitrary(&mut input) {
        slots.play(&call);
        if input.is_empty() {
            break;
        }
    }
}

/// Live handles or NULL.
struct Slots([*mut harmony_stream; SLOTS]);

impl Drop for Slots {
    fn drop(&mut self) {
        for stream in self.0 {
            // SAFETY: a slot holds a live handle or NULL, and is not used again.
            unsafe { harmony_stream_free(stream) };
        }
    }
}

impl Slots {
    fn at(&self, slot: u8) -> *mut harmony_stream {
        self.0[usize::from(slot) % SLOTS]
    }

    fn set(&mut self, slot: u8, stream: *mut harmony_stream) {
        let old = std::mem::replace(&mut self.0[usize::from(slot) % SLOTS], stream);
        // SAFETY: the old handle has left its slot.
        unsafe { harmony_stream_free(old) };
    }

    fn play(&mut self, call: &Call<'_>) {
        match call {
            Call::New { slot, options, max_bytes, size } => {
                let stream = new(options.as_ref(), *max_bytes, size);
                self.set(*slot, stream);
            }
            Call::Push { slot, data, room } => {
                let (text, length) = data.parts();
                let stream = self.at(*slot);
                events(stream, room, |events, capacity, count| {
                    // SAFETY: the handle is live or NULL; the text is as long as it says, NULL, or longer than memory.
                    unsafe { harmony_stream_push(stream, text, length, events, capacity, count) }
                });
            }
            Call::PushControl { slot, control, room } => self.control(*slot, *control, room),
            Call::PushToken { slot, control, room } => self.control(*slot, u32::from(*control % 8), room),
            Call::Finish { slot, room } => {
                let stream = self.at(*slot);
                // SAFETY: the handle is live or NULL.
                events(stream, room, |events, capacity, count| unsafe {
                    harmony_stream_finish(stream, events, capacity, count)
                });
            }
            Call::Drain { slot, room } => {
                let stream = self.at(*slot);
                // SAFETY: the handle is live or NULL.
                events(stream, room, |events, capacity, count| unsafe {
                    harmony_stream_drain(stream, events, capacity, count)
                });
            }
            Call::Look { slot } => look(self.at(*slot)),
            Call::Reset { slot } => {
                // SAFETY: the handle is live or NULL.
                let status = unsafe { harmony_stream_reset(self.at(*slot)) };
                assert_ne!(status, HARMONY_E_PANIC);
            }
            Call::Clone { from, to } => {
                let mut copy = null_mut();
                // SAFETY: the handle is live or NULL.
                let status = unsafe { harmony_stream_clone(self.at(*from), &mut copy) };
                assert_eq!(status == HARMONY_OK, !copy.is_null());
                self.set(*to, copy);
            }
            Call::Free { slot } => self.set(*slot, null_mut()),
            Call::Whole { options, data } => whole(options, data),
            Call::Texts { data, constrained } => texts(data, *constrained),
            Call::Detector { surface, end, pieces, room } => detector(*surface, *end, pieces, room),
        }
    }

    fn control(&self, slot: u8, control: u32, room: &Room) {
        let stream = self.at(slot);
        // SAFETY: the handle is live or NULL.
        events(stream, room, |events, capacity, count| unsafe {
            harmony_stream_push_control(stream, control, events, capacity, count)
        });
    }
}

fn options(bits: &[u8; 4], max_bytes: u16) -> harmony_options {
    let [policy, routing, start, input] = bits.map(|b| u32::from(b % 5));
    harmony_options {
        size: size_of::<harmony_options>(),
        policy: policy % 3,
        routing: routing % 3,
        start,
        input: input % 3,
        max_bytes: max_bytes.into(),
    }
}

fn new(bits: Option<&[u8; 4]>, max_bytes: u16, size: &Size) -> *mut harmony_stream {
    let mut stream = null_mut();
    let mut options = bits.map(|bits| options(bits, max_bytes));
    if let Some(options) = &mut options {
        match size {
            Size::Right => {}
            Size::Short(n) => options.size = usize::from(*n) % size_of::<harmony_options>(),
            Size::Zero => options.size = 0,
        }
    }
    // SAFETY: the options are live or NULL, and hold at least the bytes that `size` says.
    let status =
        unsafe { harmony_stream_new(options.as_ref().map_or(null(), |options| options), &mut stream) };
    assert_eq!(status == HARMONY_OK, !stream.is_null());
    stream
}

/// Lends room, calls, and checks what came.
fn events(
    stream: *const harmony_stream,
    room: &Room,
    call: impl FnOnce(*mut harmony_event, usize, *mut usize) -> harmony_status,
) {
    // As many as the call may write, so that a sanitizer sees one more.
    let capacity = match room {
        Room::Some(n) | Room::Null(n) | Room::NoCount(n) => usize::from(*n) % (ROOM + 1),
    };
    let mut array: Vec<harmony_event> = Vec::with_capacity(capacity);
    let mut count = usize::MAX;
    let status = match room {
        Room::Some(_) => call(array.as_mut_ptr(), capacity, &mut count),
        Room::Null(_) => call(null_mut(), capacity, &mut count),
        Room::NoCount(_) => call(array.as_mut_ptr(), capacity, null_mut()),
    };
    assert_ne!(status, HARMONY_E_PANIC);
    if matches!(room, Room::NoCount(_)) {
        assert!(status < 0 || status == HARMONY_OK || status == HARMONY_MORE);
        return;
    }
    assert!(count <= capacity, "{count} events in room for {capacity}");
    assert!(status >= 0 || count == 0, "events behind an error");
    let mut length = 0;
    // SAFETY: the handle is live or NULL.
    let _ = unsafe { harmony_stream_text(stream, &mut length) };
    if status >= 0 && matches!(room, Room::Some(_)) {
        // SAFETY: the call has written so many.
        unsafe { array.set_len(count) };
        for event in &array {
            assert!(event.offset + event.length <= length as u64, "{} in {length}", event.offset);
            assert!(event.position <= length as u64);
        }
    }
}

fn look(stream: *const harmony_stream) {
    let mut length = 0;
    let mut summary = harmony_summary { size: size_of::<harmony_summary>(), ..zero_summary() };
    // SAFETY: the handle is live or NULL, and the outputs are.
    unsafe {
        let text = harmony_stream_text(stream, &mut length);
        assert!(!text.is_null() || length == 0);
        assert!(harmony_stream_held(stream) <= length);
        let status = harmony_stream_summary(stream, &mut summary);
        assert_eq!(status == HARMONY_OK, !stream.is_null());
    }
    let bytes = summary.bytes_analysis + summary.bytes_commentary + summary.bytes_final + summary.bytes_other;
    assert!(bytes <= length as u64);
}

fn zero_summary() -> harmony_summary {
    // SAFETY: it is numbers only.
    unsafe { std::mem::zeroed() }
}

fn whole(bits: &[u8; 4], data: &Data<'_>) {
    let options = options(bits, 0);
    let (text, length) = data.parts();
    let mut message = null_mut();
    // SAFETY: options and output are live; the text is as long as it says, NULL, or longer than memory.
    unsafe {
        let status = harmony_parse(&options, text, length, &mut message);
        assert_ne!(status, HARMONY_E_PANIC);
        assert_eq!(status == HARMONY_OK, !message.is_null());
        let mut length = usize::MAX;
        for i in 0..harmony_message_call_count(message) + 1 {
            let _ = harmony_message_call_name(message, i, &mut length);
            let _ = harmony_message_call_arguments(message, i, &mut length);
            let _ = harmony_message_call_status(message, i);
        }
        let _ = harmony_message_content(message, &mut length);
        let _ = harmony_message_reasoning(message, &mut length);
        harmony_message_free(message);
    }
}

fn texts(data: &Data<'_>, constrained: bool) {
    let (text, length) = data.parts();
    let constrained = constrained.into();
    let mut start = 0;
    let mut object = 0;
    // SAFETY: the outputs are live; the text is as long as it says, NULL, or longer than memory.
    unsafe {
        let status = harmony_extract(text, length, &mut start, &mut object);
        assert_ne!(status, HARMONY_E_PANIC);
        assert!(status != HARMONY_OK || start + object <= length);
        let _ = harmony_is_harmony(text, length);
        for make in [
            |text, length, _, out: &mut *mut harmony_texts| harmony_escape(text, length, out),
            |text, length, _, out: &mut *mut harmony_texts| harmony_unescape(text, length, out),
            |text, length, constrained, out: &mut *mut harmony_texts| {
                harmony_pick_title(text, length, constrained, out)
            },
            |text, length, constrained, out: &mut *mut harmony_texts| {
                harmony_pick_suggestions(text, length, constrained, out)
            },
            |text, length, constrained, out: &mut *mut harmony_texts| {
                harmony_pick_queries(text, length, constrained, out)
            },
        ]
            as [unsafe fn(*const c_char, usize, i32, &mut *mut harmony_texts) -> harmony_status; 5]
        {
            let mut out = null_mut();
            let status = make(text, length, constrained, &mut out);
            assert_ne!(status, HARMONY_E_PANIC);
            assert_eq!(status == HARMONY_OK, !out.is_null());
            for i in 0..harmony_texts_count(out) + 1 {
                let mut length = usize::MAX;
                let _ = harmony_texts_get(out, i, &mut length);
            }
            harmony_texts_free(out);
        }
    }
}

fn detector(surface: u8, end: u16, pieces: &[Data<'_>; 3], room: &Room) {
    let capacity = match room {
        Room::Some(n) | Room::Null(n) | Room::NoCount(n) => usize::from(*n) % (ROOM + 1),
    };
    let mut signals: Vec<harmony_signal> = Vec::with_capacity(capacity);
    let end = if end.is_multiple_of(2) { u64::MAX } else { end.into() };
    let mut detector = null_mut();
    let mut count = 0;
    // SAFETY: the outputs are live; texts are as long as they say, NULL, or longer than memory.
    unsafe {
        let status = harmony_detector_new(u32::from(surface % 5), end, &mut detector);
        assert_eq!(status == HARMONY_OK, !detector.is_null());
        for piece in pieces {
            let (text, length) = piece.parts();
            let status =
                harmony_detector_push(detector, text, length, signals.as_mut_ptr(), capacity, &mut count);
            assert!(status != HARMONY_E_PANIC && count <= capacity);
        }
        let status = harmony_detector_finish(detector, signals.as_mut_ptr(), capacity, &mut count);
        assert!(status != HARMONY_E_PANIC && count <= capacity);
        let status = harmony_detector_drain(detector, signals.as_mut_ptr(), capacity, &mut count);
        assert!(status != HARMONY_E_PANIC && count <= capacity);
        harmony_detector_free(detector);
    }
}
