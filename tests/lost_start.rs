//! A header that lost its `<|start|>`, behind a call: header words only, with at most one `<|constrain|>`, that run into
//! `<|channel|>` or `<|message|>`. All else is text.

use harmony_stream::{Event, Options, Parser};

/// Content and dropped text, pushed whole or a byte at a time.
fn outcome(behind: &str, size: usize) -> (String, Vec<String>) {
    let text = format!("<|channel|>commentary to=functions.f<|message|>{{}}<|call|>{behind}");
    let (mut content, mut dropped) = (String::new(), Vec::new());
    let mut take = |event: Event<&[u8]>| match event {
        Event::Content { text } => content += str::from_utf8(text).expect("whole characters"),
        Event::Deviation { dropped: text, .. } if !text.is_empty() => {
            dropped.push(String::from_utf8(text.to_vec()).expect("whole characters"));
        }
        _ => {}
    };
    let mut parser = Parser::<[u8]>::new(Options::lenient());
    for piece in text.as_bytes().chunks(size) {
        parser.push(piece).expect("it is open").for_each(&mut take);
    }
    parser.finish().expect("it is open").for_each(&mut take);
    (content, dropped)
}

#[test]
fn words_with_one_constraint_are_a_header() {
    for (behind, content, dropped) in [
        ("assistant<|channel|>final<|message|>b", "b", &[][..]),
        ("assistant<|message|>b", "b", &[]),
        ("assistant final<|message|>b", "b", &[]),
        ("assistant<|constrain|>json<|message|>b", "b", &[]),
        ("assistant<|constrain|>json<|channel|>final<|message|>b", "b", &[]),
        (
            "assistant<|constrain|>json<|constrain|>code<|message|>b",
            "assistantb",
            &["<|constrain|>json", "<|constrain|>code"],
        ),
        (
            "assistant<|constrain|>json<|constrain|>code<|channel|>final<|message|>b",
            "assistantb",
            &["<|constrain|>json", "<|constrain|>code"],
        ),
        ("assis<|message|>b", "assisb", &[]),
        ("assis<|constrain|>json<|channel|>final<|message|>b", "assisb", &["<|constrain|>json"]),
        ("assistant b<|channel|>final<|message|>c", "assistant bc", &[]),
    ] {
        for size in [1, 7, 1000] {
            let dropped = dropped.iter().map(|&text| text.to_owned()).collect();
            assert_eq!(outcome(behind, size), (content.to_owned(), dropped), "{behind} by {size}");
        }
    }
}
