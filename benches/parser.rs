//! The parser beside what bounds it: `cargo bench --bench parser`. Compare rows of one run.

#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use harmony_stream::{Event, Options, Parser, parse_with};

mod inputs;

/// What the parser may be compared with on whole texts: a search for its markers' first two bytes.
fn whole(c: &mut Criterion) {
    for (name, body) in [("prose", inputs::prose(16 << 20)), ("code", inputs::code(16 << 20))] {
        let text = format!("<|channel|>final<|message|>{body}<|return|>");
        let mut group = c.benchmark_group(format!("whole/{name}"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(20);
        let finder = memchr::memmem::Finder::new("<|");
        group.bench_function("memmem", |b| {
            b.iter(|| finder.find_iter(black_box(text.as_bytes())).count());
        });
        for (policy, options) in inputs::policies() {
            group.bench_function(policy, |b| b.iter(|| parse_with(black_box(&*text), options)));
        }
        group.finish();
    }
}

/// 4-byte pushes, events consumed, beside the copy that every parser needs which owns its transcript.
fn pushes(c: &mut Criterion) {
    let text = format!("<|channel|>final<|message|>{}<|return|>", inputs::prose(1 << 16));
    let mut group = c.benchmark_group("push-4");
    group.throughput(Throughput::Elements(text.len().div_ceil(4) as u64));
    group.bench_function("extend_from_slice", |b| {
        let mut buffer = Vec::new();
        b.iter(|| {
            buffer.clear();
            for chunk in text.as_bytes().chunks(4) {
                buffer.extend_from_slice(black_box(chunk));
            }
            black_box(&buffer);
        });
    });
    for (policy, options) in inputs::policies() {
        group.bench_function(policy, |b| push_all(b, text.as_bytes(), options, 4));
    }
    group.finish();
}

fn push_all(b: &mut criterion::Bencher<'_>, text: &[u8], options: Options, size: usize) {
    let mut parser = Parser::<[u8]>::new(options);
    b.iter(|| {
        parser.reset();
        let mut bytes = 0;
        for chunk in text.chunks(size) {
            for event in parser.push(black_box(chunk)).expect("no limit is set") {
                bytes += length(&event);
            }
        }
        parser.finish().expect("the stream is open").for_each(|event| bytes += length(&event));
        black_box(bytes)
    });
}

fn length(event: &Event<&[u8]>) -> usize {
    match event {
        Event::Content { text } | Event::Reasoning { text } | Event::ToolCallArguments { text, .. } => {
            text.len()
        }
        _ => 0,
    }
}

/// 64 KB of arguments with escapes, beside a JSON parser that builds nothing.
fn arguments(c: &mut Criterion) {
    let object = inputs::arguments(64 << 10);
    let text = format!("<|channel|>commentary to=functions.save<|message|>{object}<|call|>");
    let mut group = c.benchmark_group("arguments");
    group.throughput(Throughput::Bytes(object.len() as u64));
    group.bench_function("serde_json", |b| {
        b.iter(|| serde_json::from_str::<serde::de::IgnoredAny>(black_box(&object)).expect("it is JSON"));
    });
    for (policy, options) in inputs::policies() {
        group.bench_function(policy, |b| b.iter(|| parse_with(black_box(&*text), options)));
        group.bench_function(BenchmarkId::new(policy, "pieces of 5"), |b| {
            push_all(b, text.as_bytes(), options, 5)
        });
    }
    group.finish();
}

criterion_group!(benches, whole, pushes, arguments);
criterion_main!(benches);
