//! Sixteen times the text takes about sixteen times the time, on ten families of text. `cargo bench --bench linear`
//! prints ratios of doublings; here the bound is so wide that a busy machine keeps it, and quadratic work does not.

#[path = "../benches/inputs/families.rs"]
mod families;
#[path = "support/timing.rs"]
mod timing;

use std::cell::Cell;
use std::time::Duration;

use families::{FAMILIES, Family, MORE};
use harmony_stream::{Options, Parser, Policy, parse_with};
use timing::{FACTOR, linear, linear_by};

/// Bytes of the small text, in pieces.
const PIECES: usize = 1 << 11;
/// In one go; more than `parse` looks at between two looks at its queue, so that both texts take the same path.
const WHOLE: usize = 1 << 17;

fn streamed(text: &[u8], size: usize, options: Options) {
    let mut parser = Parser::<[u8]>::new(options);
    for chunk in text.chunks(size) {
        parser.push(chunk).expect("it is open").for_each(drop);
    }
    parser.finish().expect("it is open").for_each(drop);
}

fn is_linear(name: &str, how: &str, small: &str, large: &str, run: impl Fn(&str)) {
    linear(small, large, run).unwrap_or_else(|times| panic!("{name}, {how}: {times}"));
}

fn check(families: &[Family]) {
    for family in families {
        for options in [Options::default(), Options::default().policy(Policy::Recover), Options::lenient()] {
            let (small, large) = (family.text(PIECES), family.text(PIECES * FACTOR));
            let run = |text: &str| streamed(text.as_bytes(), 4, options);
            is_linear(family.name, "in pieces of 4", &small, &large, run);
            let (small, large) = (family.text(WHOLE), family.text(WHOLE * FACTOR));
            is_linear(family.name, "whole", &small, &large, |text| drop(parse_with(text, options)));
        }
    }
}

#[test]
fn ten_families() {
    check(&FAMILIES);
}

#[test]
fn shapes_that_make_it_wait() {
    check(&MORE);
}

/// Whatever waits, and for whatever: text of one kind that goes on and on behind any three tokens or words, in a body,
/// behind a whole object, and at the beginning.
#[test]
fn whatever_it_waits_for() {
    const TOKENS: [&str; 9] = [
        "<|start|>",
        "<|channel|>",
        "<|message|>",
        "<|constrain|>",
        "<|end|>",
        "<|call|>",
        "assistant",
        "functions.f",
        "{",
    ];
    const BYTES: usize = 128;
    let options = Options::lenient();
    for before in ["", "<|channel|>final<|message|>a", "<|channel|>commentary to=functions.f<|message|>{}"] {
        for (code, again) in (0..9 * 9 * 9).flat_map(|code| [" ", "a", "<"].map(|again| (code, again))) {
            let behind = [TOKENS[code / 81], TOKENS[code / 9 % 9], TOKENS[code % 9]].concat();
            let begin = [before, &behind].concat();
            let (small, large) =
                (begin.clone() + &again.repeat(BYTES), begin.clone() + &again.repeat(BYTES * FACTOR));
            is_linear(&begin, again, &small, &large, |text| streamed(text.as_bytes(), 1, options));
        }
    }
}

/// By a clock that counts: a busy machine's own tells quadratic work only mostly.
#[test]
fn the_bound_tells_linear_work_from_quadratic() {
    let (small, large) = ("a".repeat(PIECES), "a".repeat(PIECES * FACTOR));
    let steps = Cell::new(0);
    let told = |work: fn(u64) -> u64| {
        let run = |text: &str| steps.set(steps.get() + work(text.len() as u64));
        linear_by(|| Duration::from_nanos(steps.get()), &small[..], &large[..], run).is_err()
    };
    assert!(!told(|bytes| 3 * bytes + 1000));
    assert!(told(|bytes| bytes * bytes));
}
