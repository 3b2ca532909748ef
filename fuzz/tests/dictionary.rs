//! The dictionary is the token table and the header words; `UPDATE_DICTIONARY=1` writes it.

use std::fmt::Write;
use std::{env, fs};

use harmony_stream::Control;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/harmony.dict");

/// What a fuzzer would otherwise have to find letter by letter.
const WORDS: [&str; 22] = [
    "analysis",
    "commentary",
    "final",
    "assistant",
    "user",
    "system",
    "developer",
    "tool",
    "json",
    "code",
    "to=functions.",
    "to=",
    "functions.",
    "{\\x22a\\x22:",
    "\\x22}",
    "\\x5cu0041",
    "\\xef\\xbb\\xbf",
    "\\xe2\\x81\\xa0",
    "code_output\\x0aCell 1:",
    "changedFiles",
    "\\x0a```\\x0a",
    "\\xe5\\xa4\\xa9\\xe5\\xa4\\xa9",
];

fn dictionary() -> String {
    let mut text = String::from("# Made by fuzz/tests/dictionary.rs from the token table.\n");
    for control in Control::ALL {
        let name = control.literal().trim_matches(['<', '|', '>']);
        writeln!(text, "{name}=\"{}\"", control.literal()).expect("a String takes all");
    }
    for (i, word) in WORDS.iter().enumerate() {
        writeln!(text, "word{i}=\"{word}\"").expect("a String takes all");
    }
    text.push_str("# Ends a piece; begins a control token of token input.\ncut=\"\\xff\"\ntoken=\"\\xfe\"\n");
    text
}

#[test]
fn dictionary_is_in_step() {
    if env::var_os("UPDATE_DICTIONARY").is_some() {
        fs::write(PATH, dictionary()).expect("the dictionary can be written");
    }
    let text = fs::read_to_string(PATH).expect("the dictionary is there");
    assert_eq!(text, dictionary(), "run UPDATE_DICTIONARY=1 cargo test --no-default-features");
}

#[test]
fn every_entry_is_well_formed() {
    for line in dictionary().lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.split_once('=').expect("NAME=VALUE");
        assert!(
            !name.is_empty() && value.len() > 2 && value.starts_with('"') && value.ends_with('"'),
            "{line}"
        );
        assert!(value[1..value.len() - 1].bytes().all(|b| b.is_ascii_graphic() || b == b' '), "{line}");
        assert!(!value[1..value.len() - 1].contains('"'), "{line}");
    }
}
