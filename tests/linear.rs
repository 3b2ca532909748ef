//! Sixteen times the text takes about sixteen times the time, on ten families of text. `cargo bench --bench linear`
//! prints ratios of doublings; here the bound is so wide that a busy machine keeps it, and quadratic work does not.

#[path = "../benches/inputs/families.rs"]
mod families;

use std::time::{Duration, Instant};

use families::{FAMILIES, Family, MORE};
use harmony_stream::{Options, Parser, Policy, parse_with};

/// Bytes of the small text, in pieces.
const PIECES: usize = 1 << 11;
/// In one go; more than `parse` looks at between two looks at its queue, so that both texts take the same path.
const WHOLE: usize = 1 << 17;
const FACTOR: usize = 16;

/// How much more than `FACTOR` times the time is allowed. Quadratic work would take `FACTOR` times as much.
const SLACK: u32 = 6;

fn within(small: Duration, large: Duration) -> bool {
    large <= small * FACTOR as u32 * SLACK
}

/// The shortest of several runs: the one that was disturbed least.
fn shortest(mut run: impl FnMut()) -> Duration {
    let time = |()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    [(); 3].map(time).into_iter().min().expect("three runs")
}

fn streamed(text: &[u8], size: usize, options: Options) {
    let mut parser = Parser::<[u8]>::new(options);
    for chunk in text.chunks(size) {
        parser.push(chunk).expect("it is open").for_each(drop);
    }
    parser.finish().expect("it is open").for_each(drop);
}

/// Within the bound once is enough: what disturbs a busy machine makes the large text slower for a while, quadratic
/// work makes it so each time.
fn is_linear(name: &str, how: &str, small: &str, large: &str, run: impl Fn(&str)) {
    let mut times = Vec::new();
    let found = (0..20).any(|_| {
        let pair = (shortest(|| run(small)), shortest(|| run(large)));
        times.push(pair);
        within(pair.0, pair.1)
    });
    assert!(found, "{name}, {how}: {times:?}");
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
    const PIECES: [&str; 10] = [
        "<|start|>",
        "<|channel|>",
        "<|message|>",
        "<|constrain|>",
        "<|end|>",
        "<|call|>",
        "assistant",
        "functions.f",
        " ",
        "{",
    ];
    const BYTES: usize = 128;
    let options = Options::lenient();
    for before in ["", "<|channel|>final<|message|>a", "<|channel|>commentary to=functions.f<|message|>{}"] {
        for (code, again) in (0..1000).flat_map(|code| [" ", "a", "<"].map(|again| (code, again))) {
            let behind = [PIECES[code / 100], PIECES[code / 10 % 10], PIECES[code % 10]].concat();
            let begin = [before, &behind].concat();
            let (small, large) =
                (begin.clone() + &again.repeat(BYTES), begin.clone() + &again.repeat(BYTES * FACTOR));
            is_linear(&begin, again, &small, &large, |text| streamed(text.as_bytes(), 1, options));
        }
    }
}

#[test]
fn the_bound_tells_linear_work_from_quadratic() {
    let millis = Duration::from_millis;
    assert!(within(millis(3), millis(3 * FACTOR as u64)));
    assert!(!within(millis(3), millis(3 * (FACTOR * FACTOR) as u64)));
}
