//! Doubling the text at most doubles the work: `cargo bench --bench linear` prints, for each of ten families, the
//! time for one length and the factor by which each doubling multiplies it.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use harmony_stream::{Options, Parser, parse_with};

#[path = "inputs/families.rs"]
mod families;
mod inputs;

use families::FAMILIES;

/// 2,000 quoted `<|call|>`, so that the longest text has 64,000.
const SMALLEST: usize = 36_000;
const DOUBLINGS: usize = 5;
/// Copies of a text are as long together, so that none lies in a cache, whatever its length: a text that is read at
/// 30 GB/s would seem to take more than twice as long where twice the text leaves one.
const COPIES: usize = 16 << 20;

fn main() {
    // `cargo test --benches` asks for a look whether it runs, not for figures.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let (smallest, doublings, copies) = if quick { (1 << 10, 1, 1) } else { (SMALLEST, DOUBLINGS, COPIES) };
    println!("{:<34} {:<10} {:<8} {:>10}  factor of each doubling", "family", "policy", "pieces", "first");
    for family in FAMILIES {
        let copied = |text: String| vec![text.clone(); copies.div_ceil(text.len())];
        let texts: Vec<Vec<String>> = (0..=doublings).map(|n| copied(family.text(smallest << n))).collect();
        for (policy, options) in inputs::policies() {
            row(family.name, policy, "of 4", &texts, |text| streamed(text.as_bytes(), options));
            row(family.name, policy, "whole", &texts, |text| drop(black_box(parse_with(text, options))));
        }
    }
}

fn row(family: &str, policy: &str, pieces: &str, texts: &[Vec<String>], run: impl Fn(&str)) {
    let each = |copies: &Vec<String>| {
        shortest(|| copies.iter().for_each(|text| run(black_box(text)))) / copies.len() as u32
    };
    let times: Vec<Duration> = texts.iter().map(each).collect();
    let factors: String = times
        .windows(2)
        .map(|pair| format!(" {:.2}", pair[1].as_secs_f64() / pair[0].as_secs_f64()))
        .collect();
    println!("{family:<34} {policy:<10} {pieces:<8} {:>10.1?} {factors}", times[0]);
}

/// The shortest of several runs: the one that was disturbed least.
fn shortest(run: impl Fn()) -> Duration {
    let time = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..9).map(|_| time()).min().unwrap_or_default()
}

fn streamed(text: &[u8], options: Options) {
    let mut parser = Parser::<[u8]>::new(options);
    for chunk in text.chunks(4) {
        for event in parser.push(chunk).expect("no limit is set") {
            black_box(event);
        }
    }
    parser.finish().expect("the stream is open").for_each(drop);
}
