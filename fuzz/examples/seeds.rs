//! Writes the seed corpora: `cargo run --no-default-features --example seeds -- FOLDER [TARGET...]` makes
//! `FOLDER/TARGET/` with a file a seed, from the vectors and the transcripts.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::{env, fs};

use harmony_stream_fuzz::TARGETS;
use harmony_stream_fuzz::input::{CUT, TOKEN};
use serde_json::{Value, json};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
const TRANSCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/transcripts");
/// Longer texts only slow a fuzzer down.
const LONGEST: usize = 4096;
/// Of the thousands of random rows every so many is enough.
const EVERY: usize = 7;

fn main() {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().expect("usage: seeds FOLDER [TARGET...]");
    let only: HashSet<String> = arguments.collect();
    for (target, _) in TARGETS.iter().filter(|(name, _)| only.is_empty() || only.contains(*name)) {
        let seeds = seeds(target);
        assert!(!seeds.is_empty(), "{target} has no seeds");
        let folder = Path::new(&folder).join(target);
        fs::create_dir_all(&folder).expect("the folder can be made");
        for (i, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{i:05}")), seed).expect("a seed can be written");
        }
        println!("{target}: {} seeds", seeds.len());
    }
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    match target {
        "json" => arguments(),
        "leak" => leaks(),
        "pick" => texts(&["structured-cases", "structured-random"], "raw"),
        "naive" | "escape" => harmony(),
        "filter" => responses(harmony()),
        "linear" => repeated(harmony()),
        "roundtrip" => harmony().into_iter().step_by(9).collect(),
        _ => with_options(harmony()),
    }
}

/// Input of the parser: vectors of both policies, and transcripts.
fn harmony() -> Vec<Vec<u8>> {
    let mut texts = texts(&["harmony-cases", "harmony-random", "recover-cases", "recover-more"], "input");
    for entry in fs::read_dir(TRANSCRIPTS).expect("the transcripts are there").flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "txt") {
            let mut text = fs::read(entry.path()).expect("a transcript can be read");
            text.truncate(LONGEST);
            texts.push(text);
        }
    }
    texts
}

/// Each text under changing options, some of it cut, and the rows of token input.
fn with_options(texts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let text = |(i, mut text): (usize, Vec<u8>)| {
        if i % 2 == 1 {
            text.insert(text.len() / 2, CUT);
        }
        text.insert(0, (i % 16) as u8);
        text
    };
    let tokens = rows("tokens-cases").into_iter().chain(rows("recover-more")).filter_map(|row| tokens(&row));
    texts.into_iter().enumerate().map(text).chain(tokens).collect()
}

/// Beginnings of texts, each up to the end of a marker, and what is to be repeated there: white space, which waits most,
/// or something else; under the recover policy, which waits more.
fn repeated(texts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    const UNITS: [&str; 10] =
        ["a", "<", "<|", "{", "[0,", "\"", "<|start|>", "<|end|>", "<|channel|>final ", "<|message|>a"];
    let ends =
        |text: &[u8]| (1..text.len().min(96)).filter(|&at| text[..at].ends_with(b"|>")).collect::<Vec<_>>();
    let begins: BTreeSet<Vec<u8>> =
        texts.iter().flat_map(|text| ends(text).into_iter().map(|at| text[..at].to_vec())).collect();
    let seed = |(i, begin): (usize, Vec<u8>)| {
        let unit = if i % 2 == 0 { " " } else { UNITS[i / 2 % UNITS.len()] };
        [&[((i % 32) << 1 | 1) as u8][..], &begin, &[CUT], unit.as_bytes()].concat()
    };
    begins.into_iter().step_by(2).enumerate().map(seed).collect()
}

/// Responses of servers that leave harmony in their text, in pieces.
fn responses(texts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let seed = |(i, text): (usize, Vec<u8>)| {
        let ollama = i % 2;
        let mut seed = vec![((ollama << 5) | (i % 4)) as u8, if i % 5 == 0 { 1 << (i % 4) } else { 0 }];
        for (n, piece) in String::from_utf8(text).ok()?.split_inclusive(['|', ' ']).enumerate() {
            let event = if ollama == 1 {
                format!("{}\n", json!({"model": "m", "message": {"content": piece}, "done": false}))
            } else {
                let choice = json!({"index": n % 9 / 8, "delta": {"content": piece}});
                format!("data: {}\n\n", json!({"id": "x", "choices": [choice]}))
            };
            seed.extend(event.bytes());
            seed.extend((n % 7 == 3).then_some(CUT));
        }
        seed.extend_from_slice(if ollama == 1 { b"{\"done\":true}\n" } else { b": c\n\ndata: [DONE]\n\n" });
        (seed.len() < LONGEST).then_some(seed)
    };
    texts.into_iter().step_by(2).enumerate().filter_map(seed).collect()
}

fn tokens(row: &Value) -> Option<Vec<u8>> {
    let mut seed = vec![0x13];
    for item in row["items"].as_array()? {
        match item["control"].as_str() {
            Some(name) => seed.extend([TOKEN, number(name)]),
            None => seed.extend(item["text"].as_str()?.bytes()),
        }
    }
    Some(seed)
}

fn number(name: &str) -> u8 {
    let names = ["start", "end", "return", "call", "channel", "message", "constrain"];
    names.iter().position(|&known| known == name).expect("a control token") as u8
}

fn arguments() -> Vec<Vec<u8>> {
    let call = |row: Value| row["tool_calls"].as_array().cloned().unwrap_or_default();
    let calls = rows("harmony-cases").into_iter().chain(rows("recover-more")).flat_map(call);
    let arguments = calls.filter_map(|call| Some(call["arguments"].as_str()?.as_bytes().to_vec()));
    arguments.chain(texts(&["structured-cases"], "raw")).collect()
}

fn leaks() -> Vec<Vec<u8>> {
    let rows = ["leak-cases", "leak-surrogate-edges"].into_iter().flat_map(rows);
    let seed = |row: Value| {
        let surface = ["assistant_text", "assistant_thinking", "tool_arg"];
        let surface = surface.iter().position(|&name| row["surface"] == name)? as u8;
        let end = row["parsed_end"].as_u64();
        let mut seed = vec![surface | if end.is_some() { 4 } else { 0 }, end.unwrap_or(0) as u8];
        seed.extend(row["text"].as_str()?.bytes());
        Some(seed)
    };
    rows.filter_map(seed).collect()
}

fn texts(files: &[&str], field: &str) -> Vec<Vec<u8>> {
    let random = |name: &str| name.ends_with("random");
    let mut texts = Vec::new();
    for &file in files {
        let step = if random(file) { EVERY } else { 1 };
        let rows = rows(file).into_iter().step_by(step);
        texts.extend(rows.filter_map(|row| Some(row[field].as_str()?.as_bytes().to_vec())));
    }
    texts.retain(|text| text.len() <= LONGEST);
    texts
}

fn rows(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(format!("{VECTORS}/{file}.jsonl")).expect("the vectors are there");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}
