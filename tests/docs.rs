//! The page about policies: its table and its examples are what the parser says and does.

use harmony_stream::{DeviationKind, Event, Options, Parsed, Parser, Policy, Status, parse_with};

const PAGE: &str = include_str!("../docs/policies.md");

/// `⟨1100 × a⟩` in full, and how it is written.
fn expand(line: &str) -> (String, Option<(String, String)>) {
    let Some((before, rest)) = line.split_once('⟨') else { return (line.to_owned(), None) };
    let (repeat, behind) = rest.split_once('⟩').expect("⟩");
    let (times, text) = repeat.split_once(" × ").expect("times × text");
    let full = text.repeat(times.parse().expect("a number"));
    (format!("{before}{full}{behind}"), Some((full, format!("⟨{repeat}⟩"))))
}

/// The result as the page writes it.
fn lines_of(parsed: &Parsed<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    if !parsed.reasoning.is_empty() {
        lines.push(format!("reasoning {:?}", parsed.reasoning));
    }
    for call in &parsed.tool_calls {
        let status = match call.status {
            Status::Complete => "complete",
            Status::Malformed => "malformed",
            Status::Incomplete => "incomplete",
        };
        lines.push(format!("call {}, {status}: {}", call.name, call.arguments));
    }
    if !parsed.content.is_empty() {
        lines.push(format!("content {:?}", parsed.content));
    }
    lines
}

fn reports(input: &str, options: Options) -> Vec<String> {
    let mut parser = Parser::<str>::new(options);
    parser.push(input).expect("it is open");
    let report = |event| match event {
        Event::Deviation { kind, offset, dropped: "" } => {
            Some(format!("reports {} at {offset}", kind.name()))
        }
        Event::Deviation { kind, offset, dropped } => {
            Some(format!("reports {} at {offset}, dropped {dropped:?}", kind.name()))
        }
        _ => None,
    };
    parser.finish().expect("it is open").filter_map(report).collect()
}

fn example(written: &str) -> String {
    let (input, repeat) = expand(written);
    let verbatim = parse_with(&input[..], Options::default());
    let failed = verbatim
        .finish
        .failure
        .map(|failure| vec![format!("fails at byte {}: {}", failure.offset, failure.kind.name())]);
    let recover = Options::default().policy(Policy::Recover);
    let mut recovered = lines_of(&parse_with(&input[..], recover));
    recovered.extend(reports(&input, recover));
    let mut text = format!("input     {input}\n");
    for (policy, lines) in
        [("verbatim", failed.unwrap_or_else(|| lines_of(&verbatim))), ("recover", recovered)]
    {
        for (n, line) in lines.iter().enumerate() {
            text += &format!("{:<10}{line}\n", if n == 0 { policy } else { "" });
        }
    }
    repeat.map_or(text.clone(), |(full, short)| text.replace(&full, &short))
}

/// The sections of the kinds: name and text.
fn sections() -> Vec<(&'static str, &'static str)> {
    PAGE.split("\n### ").skip(1).map(|section| section.split_once('\n').expect("text")).collect()
}

/// The examples of a section.
fn blocks(section: &str) -> Vec<&str> {
    section.split("```text\n").skip(1).map(|part| part.split("```").next().expect("a block")).collect()
}

#[test]
fn every_example_is_what_the_parser_does() {
    let mut count = 0;
    for (name, section) in sections() {
        for block in blocks(section) {
            let input = block.lines().next().and_then(|line| line.strip_prefix("input     "));
            assert_eq!(block, example(input.expect("an input")), "in the section of {name}");
            assert!(
                block.contains(&format!("reports {name} at ")),
                "{name} is not in its own example:\n{block}"
            );
            count += 1;
        }
    }
    assert!(count >= DeviationKind::ALL.len(), "{count} examples");
}

#[test]
fn every_kind_has_a_section_with_an_example() {
    let names: Vec<&str> = sections().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, DeviationKind::ALL.map(DeviationKind::name));
    assert!(sections().iter().all(|(_, section)| !blocks(section).is_empty()));
}

#[test]
fn the_table_has_every_kind_and_its_message() {
    let rows: Vec<String> = PAGE
        .lines()
        .filter(|line| line.starts_with("| [`"))
        .map(|line| line.replace("`<\\|", "<|").replace("\\|>`", "|>"))
        .collect();
    let expected =
        DeviationKind::ALL.map(|kind| format!("| [`{0}`](#{0}) | {1} | ", kind.name(), kind.message()));
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(expected) {
        assert!(row.starts_with(&expected), "{row}\n{expected}");
    }
}
