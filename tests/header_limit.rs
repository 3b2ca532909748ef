//! The 1,024 bytes of header text that may wait under the recover policy: all slots count together, blank text alone
//! does not, and one byte more decides.

mod support;

use harmony_stream::{DeviationKind, Event, Options, Parser, Policy, Start, parse_with};
use support::drive::{joined, run, text_feed};
use support::{accounts, chunks};

const LIMIT: usize = 1024;

/// Parses whole and in pieces, which must agree, and gives content, reasoning, and whether the limit was passed.
fn parse(text: &str) -> (String, String, bool) {
    let options = Options::lenient();
    let (whole, _) = run(&text_feed(&[text]), options);
    for size in [1, 7, 100] {
        let (events, _) = run(&text_feed(&chunks::fixed(text, size)), options);
        assert_eq!(joined(&events), joined(&whole), "pieces of {size}");
    }
    let long =
        whole.iter().any(|event| matches!(event, Event::Deviation { kind: DeviationKind::LongHeader, .. }));
    let parsed = parse_with(text, options);
    (parsed.content.into_owned(), parsed.reasoning.into_owned(), long)
}

#[test]
fn slots_count_together() {
    for (role, channel) in [(500, 400), (10, 10), (300, 300), (0, 900), (1000, 0)] {
        let rest = LIMIT - "assistant".len() - role - "analysis ".len() - channel;
        let header = |extra: usize| {
            format!(
                "<|start|>assistant{}<|channel|>analysis {}<|constrain|>{}<|message|>Hm.<|end|>",
                "r".repeat(role),
                "c".repeat(channel),
                "f".repeat(rest + extra),
            )
        };
        let (content, reasoning, long) = parse(&header(0));
        assert_eq!((&*content, &*reasoning, long), ("", "Hm.", false));
        let (_, reasoning, long) = parse(&header(1));
        assert!(long, "{role} {channel}");
        assert!(reasoning.ends_with("f<|message|>Hm."), "{reasoning}");
    }
}

#[test]
fn blank_text_alone_does_not_count() {
    let blank = " ".repeat(3 * LIMIT);
    let text = format!("<|start|>{blank}<|channel|>final<|constrain|>{blank}<|message|>Yes.<|return|>");
    assert_eq!(parse(&text), ("Yes.".into(), String::new(), false));
    let text =
        format!("<|channel|>final<|message|>A<|end|>{blank}<|start|>{blank}<|channel|>final<|message|>B");
    assert_eq!(parse(&text), ("AB".into(), String::new(), false));
    let text = format!("<|channel|>final<|message|>A<|start|>{blank}<|message|>B");
    assert_eq!(parse(&text), ("AB".into(), String::new(), false));
}

#[test]
fn a_character_is_not_cut_at_the_limit() {
    for before in 0..4 {
        let text = format!("<|channel|>final {}{}<|return|>", "x".repeat(before), "🌊".repeat(300));
        let (content, _, long) = parse(&text);
        assert!(long);
        assert_eq!(content, format!("{}{}", "x".repeat(before), "🌊".repeat(300)));
    }
}

#[test]
fn a_header_that_was_held_in_a_body_counts_from_its_start() {
    let fits = LIMIT - "final".len();
    for (extra, opens) in [(0, true), (1, false)] {
        let role = "r".repeat(fits + extra);
        let text =
            format!("<|channel|>final<|message|>A<|start|>{role}<|channel|>final<|message|>B<|return|>");
        let (content, _, long) = parse(&text);
        assert_eq!(long, !opens);
        assert_eq!(content == "AB", opens, "{content}");
        assert!(content.ends_with('B'));
    }
}

#[test]
fn words_and_a_constraint_after_a_terminator_count_together() {
    let fits = LIMIT - "assistant".len();
    for (extra, header) in [(0, true), (1, false)] {
        let constraint = "f".repeat(fits + extra);
        let lost = format!("assistant<|constrain|>{constraint}<|message|>B<|end|>");
        let (content, _, _) = parse(&format!("<|channel|>final<|message|>A<|end|>{lost}"));
        assert_eq!(content == "AB", header, "{content}");
        let between = format!("<|channel|>commentary to=functions.a<|message|>{{}}<|call|>{lost}");
        let (content, _, _) = parse(&between);
        assert_eq!(content == "B", header, "{content}");
    }
}

/// However long the header, what waits is bounded.
#[test]
fn no_more_than_the_limit_waits() {
    let markers = ["<|start|>", "<|channel|>", "<|constrain|>"];
    let texts = [
        "<|channel|>".to_owned() + &"x".repeat(4 * LIMIT),
        "<|channel|>final<|message|>A<|start|>".to_owned() + &"y".repeat(4 * LIMIT),
        "<|channel|>final<|message|>A<|end|>".to_owned() + &"assistant ".repeat(LIMIT / 2),
        "<|channel|>final<|message|>A<|end|>assistant<|constrain|>".to_owned() + &"z".repeat(4 * LIMIT),
        "<|channel|>final<|message|>A<|start|>assistant<|constrain|>".to_owned() + &"json ".repeat(LIMIT),
    ];
    for text in texts {
        let mut parser = Parser::<str>::new(Options::lenient());
        for chunk in chunks::fixed(&text[..], 3) {
            parser.push(chunk).expect("no limit").for_each(drop);
            assert!(parser.held() <= LIMIT + 2 * markers[2].len() + 12, "{} wait", parser.held());
        }
    }
}

/// Whatever its slots hold before the last of them passes the limit.
#[test]
fn every_byte_of_a_long_header_is_in_one_place() {
    let roles = ["", "<|start|>assistant", "<|start|>assistant r", "<|start|>assistant to=functions.g a"];
    let channels = ["commentary", "analysis", "final", "other"];
    let words = ["", " a", " ?a", " to=functions.f", " a to=functions.f ?", " {\"a\":1}"];
    let constraints =
        ["", "<|constrain|>", "<|constrain|>?to=functions.f ", "<|constrain|>json to=functions.f ?"];
    for long in ["x", "x ", "{\"a\":\"x"] {
        let long = long.repeat(LIMIT + 100);
        for code in 0..roles.len() * channels.len() * words.len() * constraints.len() {
            let (role, code) = (roles[code % 4], code / 4);
            let (channel, code) = (channels[code % 4], code / 4);
            let (word, constraint) = (words[code % 6], constraints[code / 6]);
            let text = format!("{role}<|channel|>{channel}{word}{constraint}{long}<|end|>");
            for options in [Options::lenient(), Options::default().policy(Policy::Recover)] {
                let lost = accounts::check(&text[..], options, Start::Detect);
                assert_eq!(lost, Ok(()), "{}", &text[..100]);
            }
        }
    }
}
