//! What a parser allocates, counted by the allocator: nothing in the steady state, little beyond its transcript.

#[path = "../benches/inputs/families.rs"]
mod families;

#[path = "support/allocator.rs"]
#[allow(dead_code)]
mod allocator;

use allocator::{calls, live};
use families::{FAMILIES, Family, MORE};
use harmony_stream::{Control, Input, Options, Parser, Policy, Text};

/// A parser that has not seen much: its struct, and its heap without the transcript.
const IDLE: usize = 512;

/// Heap beyond the transcript, whatever its length.
const BEYOND: usize = 1024;

fn policies() -> [Options; 3] {
    [Options::default(), Options::default().policy(Policy::Recover), Options::lenient()]
}

/// Pushes all of it in pieces of `size`, and takes every event.
fn stream(parser: &mut Parser<[u8]>, text: &[u8], size: usize) {
    for chunk in text.chunks(size) {
        parser.push(chunk).expect("it is open").for_each(drop);
    }
    parser.finish().expect("it is open").for_each(drop);
}

#[test]
fn an_idle_parser_is_small() {
    fn check<T: Text + ?Sized>(first: &T) {
        let size = size_of::<Parser<T>>();
        for options in policies() {
            let before = live();
            let mut parser = Parser::<T>::new(options);
            assert_eq!(live(), before, "a new parser has no heap");
            parser.push(first).expect("it is open").for_each(drop);
            // The transcript's first buffer is at least as long as what was pushed.
            let heap = (live() - before) as usize;
            let idle = size + heap - size_of_val(first);
            assert!(idle <= IDLE, "{size} bytes and {heap} on the heap");
        }
    }
    check::<[u8]>(b"<|channel|>final<|message|>Hello");
    check::<str>("<|channel|>final<|message|>Hello");
}

/// The second stream is as long as the first, so there is room for its transcript.
fn second_stream_allocates_nothing(text: &str, size: usize, options: Options) {
    let mut parser = Parser::<[u8]>::new(options);
    stream(&mut parser, text.as_bytes(), size);
    parser.reset();
    let before = calls();
    stream(&mut parser, text.as_bytes(), size);
    assert_eq!(calls(), before, "{:?}... in pieces of {size}", &text[..40]);
}

#[test]
fn the_steady_state_allocates_nothing() {
    // Where a header has more fields than any good one, looking through them takes room for a moment.
    for family in FAMILIES.iter().chain(&MORE).filter(|family| family.name != "doubled channels") {
        let text = family.text(6000);
        for options in policies() {
            for size in [1, 4, 7, 1000, 6000] {
                second_stream_allocates_nothing(&text, size, options);
            }
        }
    }
}

/// Long texts: only the transcript grows, and doubling it takes one allocation.
#[test]
fn one_stream_allocates_for_its_transcript_only() {
    for family in &FAMILIES[..4] {
        let text = family.text(1 << 18);
        for options in policies() {
            let mut parser = Parser::<[u8]>::new(options);
            let before = calls();
            stream(&mut parser, text.as_bytes(), 4);
            let calls = calls() - before;
            assert!(calls <= 18 + 4, "{}: {calls} allocations", family.name);
        }
    }
}

#[test]
fn token_input_allocates_nothing_in_the_steady_state() {
    let turn = |parser: &mut Parser<str>| {
        for _ in 0..1000 {
            for control in [Control::Start, Control::Channel, Control::Message, Control::End] {
                parser.push_control(control).expect("it is open").for_each(drop);
                parser.push("analysis").expect("it is open").for_each(drop);
            }
        }
        parser.finish().expect("it is open").for_each(drop);
    };
    for options in policies() {
        let mut parser = Parser::<str>::new(options.input(Input::Tokens));
        turn(&mut parser);
        parser.reset();
        let before = calls();
        turn(&mut parser);
        assert_eq!(calls(), before);
    }
}

/// The largest heap beyond the transcript's buffer while `text` streams by in pieces of 4.
fn beyond(text: &str, options: Options) -> usize {
    let before = live();
    let mut parser = Parser::<[u8]>::new(options);
    // Grows as the transcript does, so its capacity is that of the transcript.
    let mut mirror: Vec<u8> = Vec::new();
    let mut largest = 0;
    for chunk in text.as_bytes().chunks(4) {
        parser.push(chunk).expect("it is open").for_each(drop);
        mirror.extend_from_slice(chunk);
        let heap = live() - before - 2 * mirror.capacity() as isize;
        largest = largest.max(usize::try_from(heap).expect("the mirror has grown as the transcript"));
    }
    parser.finish().expect("it is open").for_each(drop);
    largest
}

#[test]
fn memory_beyond_the_transcript_is_constant() {
    let check = |family: &Family, bound: usize| {
        for options in policies() {
            for bytes in [1 << 10, 1 << 13, 1 << 16] {
                let heap = beyond(&family.text(bytes), options);
                assert!(heap <= bound, "{} of {bytes} bytes: {heap} bytes beyond", family.name);
            }
        }
    };
    FAMILIES.iter().for_each(|family| check(family, BEYOND));
    // Header fields may be as many as 1,024 bytes of header text are.
    MORE.iter().for_each(|family| check(family, 8 * BEYOND));
}

/// A level of nesting takes a bit, the one thing that grows with the text.
#[test]
fn nesting_takes_a_bit_a_level() {
    let levels = 1 << 18;
    let text = format!("<|channel|>commentary to=functions.f<|message|>{{\"a\":{}", "[".repeat(levels));
    for options in policies() {
        let heap = beyond(&text, options);
        assert!(heap <= BEYOND + 2 * levels / 8, "{heap} bytes for {levels} levels");
    }
}

/// Who leaves one event each time keeps what is left, not what was taken.
#[test]
fn events_that_were_taken_make_room() {
    let before = live();
    let mut parser = Parser::<[u8]>::new(Options::default());
    let mut mirror: Vec<u8> = Vec::new();
    let mut push = |chunk: &[u8], take: usize| {
        parser.push(chunk).expect("it is open").take(take).for_each(drop);
        mirror.extend_from_slice(chunk);
        (parser.events().len(), live() - before - 2 * mirror.capacity() as isize)
    };
    push(b"<|channel|>final<|message|>Noon", 1);
    for _ in 0..50_000 {
        let (left, heap) = push(b"noon", 1);
        assert_eq!(left, 1);
        assert!(heap <= BEYOND as isize, "{heap} bytes");
    }
}
