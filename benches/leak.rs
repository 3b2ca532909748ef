//! The leak detector beside a search for the marker's text alone, and on hostile text.

#![allow(missing_docs, reason = "criterion's macros write functions without")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use harmony_stream::leak::{DetectOptions, Detector, Surface, detect};
use memchr::memmem;

const PROSE: &str = "The ferry leaves at half past nine, so we should be at the pier by nine at the latest. \
If the weather holds, the crossing takes about forty minutes; otherwise plan for an hour. There is a small café on \
the upper deck. Bring a jacket: even in July the wind is cold out there, and the return trip is after sunset.\n\n";

const MARKDOWN: &str = "## Setup\n\nRun `cargo build`, then set `RUST_LOG=info`:\n\n```sh\nexport RUST_LOG=info\n\
cargo run -- --port=8080 | tee log\n```\n\n| option | default |\n| --- | --- |\n| `--port` | 8080 |\n\nThat is all there is to it.\n";

fn repeated(piece: &str) -> String {
    piece.repeat((1 << 20) / piece.len())
}

fn all(group: &mut BenchmarkGroup<'_, criterion::measurement::WallTime>, text: &str) {
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("memmem", |b| {
        b.iter(|| memmem::find_iter(black_box(text).as_bytes(), b"to=functions.").count());
    });
    let options = DetectOptions::new();
    group.bench_function("detect", |b| b.iter(|| detect(black_box(text), Surface::Text, &options)));
    for size in [4, 64, 65536] {
        group.bench_function(format!("push_{size}"), |b| b.iter(|| push(black_box(text), size)));
    }
}

fn push(text: &str, size: usize) -> usize {
    let mut detector = Detector::new(Surface::Text, DetectOptions::new());
    text.as_bytes().chunks(size).map(|piece| detector.push(piece).len()).sum::<usize>()
        + detector.finish().len()
}

fn leak(c: &mut Criterion) {
    let texts = [
        ("prose", PROSE),
        ("markdown", MARKDOWN),
        ("hostile_markers", "to=functions.a "),
        ("hostile_cascade", "to=functions.a code "),
        ("hostile_fences", "```\n"),
        ("hostile_glued", "to=functions."),
        ("hostile_foreign", "天 to=functions.a大发"),
        ("hostile_name", "to=functions.aaaaaaaaaaaaaaaa"),
        ("hostile_ticks", "` "),
    ];
    for (name, piece) in texts {
        let mut group = c.benchmark_group(name);
        group
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .sample_size(20);
        all(&mut group, &repeated(piece));
        group.finish();
    }
}

criterion_group!(benches, leak);
criterion_main!(benches);
