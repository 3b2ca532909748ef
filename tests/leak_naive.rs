//! A second reading of the rules, as plain as can be: UTF-16 units, one window a marker, every place tried. Texts made
//! of what matters are read both ways, and in pieces.

use harmony_stream::leak::{Class, Classes, DetectOptions, Detector, Signal, Surface, detect};
use proptest::prelude::*;

type Units = [u16];

fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

fn is_word(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_space(unit: u16) -> bool {
    matches!(unit, 9..=13 | 32 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000 | 0xfeff)
}

fn is_foreign(unit: u16) -> bool {
    let ranges = [
        (0x3400, 0x4dbf),
        (0x4e00, 0x9fff),
        (0xf900, 0xfaff),
        (0x0400, 0x04ff),
        (0x0e00, 0x0e7f),
        (0x10a0, 0x10ff),
        (0x0530, 0x058f),
        (0x0c80, 0x0cff),
        (0x0c00, 0x0c7f),
        (0x0900, 0x097f),
        (0x0600, 0x06ff),
        (0x0d00, 0x0d7f),
    ];
    ranges.iter().any(|&(low, high)| (low..=high).contains(&unit))
}

fn starts(text: &Units, at: usize, literal: &str) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(&units(literal)))
}

fn is_boundary(text: &Units, at: usize) -> bool {
    let before = at > 0 && is_word(text[at - 1]);
    let behind = at < text.len() && is_word(text[at]);
    before != behind
}

/// The length of the run of such units at `at`.
fn run(text: &Units, at: usize, is: impl Fn(u16) -> bool) -> usize {
    text.get(at..).map_or(0, |rest| rest.iter().take_while(|&&unit| is(unit)).count())
}

const MARKER: &str = "to=functions.";

fn marker_end(text: &Units, at: usize) -> Option<usize> {
    let name = at + MARKER.len();
    let named = starts(text, at, MARKER)
        && text.get(name).is_some_and(|&unit| is_word(unit) && !(48..58).contains(&unit));
    (named && is_boundary(text, at)).then(|| name + run(text, name, is_word))
}

fn channel(window: &Units) -> bool {
    let words = ["analysis", "commentary", "assistant", "user", "system", "developer", "tool"];
    (0..window.len()).any(|at| {
        words.iter().any(|word| {
            let end = at + word.len();
            let blank = run(window, end, is_space);
            is_boundary(window, at)
                && starts(window, at, word)
                && blank > 0
                && starts(window, end + blank, MARKER)
        })
    })
}

fn glitch(window: &Units) -> bool {
    let words = ["changedFiles", "RTLU", "Jsii", "Jsii_commentary", "Japgolly"];
    (0..window.len()).any(|at| {
        let fits = |word: &&str| starts(window, at, word) && is_boundary(window, at + word.len());
        is_boundary(window, at) && words.iter().any(fits)
    })
}

fn script(near: &Units, wide: &Units) -> bool {
    let ascii = wide.iter().filter(|&&unit| unit < 128).count();
    near.windows(2).any(|pair| is_foreign(pair[0]) && is_foreign(pair[1])) && ascii * 20 >= wide.len() * 17
}

fn cascade(window: &Units) -> bool {
    (0..window.len()).filter(|&at| starts(window, at, MARKER)).any(|at| {
        let name = at + MARKER.len();
        let named = run(window, name, is_word);
        let blank = run(window, name + named, is_space);
        let code = name + named + blank;
        let end = code + 4;
        named > 0
            && blank > 0
            && starts(window, code, "code")
            && is_boundary(window, end)
            && (end..=end + 200).any(|next| starts(window, next, MARKER))
    })
}

fn is_cell(text: &Units, at: usize) -> bool {
    let blank = run(text, at, is_space);
    let cell = at + blank;
    let gap = run(text, cell + 4, is_space);
    let digits = run(text, cell + 4 + gap, |unit| (48..58).contains(&unit));
    blank > 0
        && text[cell - 1] == 10
        && starts(text, cell, "Cell")
        && gap > 0
        && digits > 0
        && starts(text, cell + 4 + gap + digits, ":")
}

fn result(window: &Units) -> bool {
    (0..window.len()).filter(|&at| starts(window, at, MARKER)).any(|at| {
        let name = at + MARKER.len();
        (1..=run(window, name, is_word)).any(|len| {
            let end = name + len;
            (end..=end + 80).any(|at| starts(window, at, "code_output") && is_cell(window, at + 11))
        })
    })
}

/// Whether each unit is fenced.
fn fenced(text: &Units) -> Vec<bool> {
    let mut open = false;
    let mut out = Vec::new();
    for line in text.split_inclusive(|&unit| unit == 10) {
        let at = run(line, 0, is_space);
        let toggles = starts(line, at, "```") || starts(line, at, "~~~");
        out.resize(out.len() + line.len(), open || toggles);
        open ^= toggles;
    }
    out
}

fn naive(text: &str, surface: Surface, parsed_end: Option<usize>) -> Vec<Signal> {
    let units = units(text);
    let bytes = |at: usize| String::from_utf16(&units[..at]).unwrap().len();
    let fenced = fenced(&units);
    let mut found = Vec::new();
    let mut at = 0;
    while at < units.len() {
        let tokens = ["<|start|>", "<|end|>", "<|channel|>", "<|message|>", "<|call|>", "<|return|>"];
        if let Some(token) = tokens.iter().find(|token| starts(&units, at, token)) {
            found.push((at, at + token.len(), Classes::NONE.with(Class::Control)));
        }
        at += 1;
    }
    at = 0;
    while at < units.len() {
        let Some(end) = marker_end(&units, at) else {
            at += 1;
            continue;
        };
        let trailing = parsed_end.is_some_and(|parsed| bytes(at) >= parsed);
        found.push((at, end, classes(&units, at, end, trailing)));
        at = end;
    }
    found.retain(|&(start, _, classes)| !fenced[start] && classes != Classes::NONE.with(Class::Marker));
    found.sort_by_key(|&(start, end, _)| (start, end));
    if surface == Surface::ToolArg && !found.iter().any(|(_, _, classes)| classes.contains(Class::Trailing)) {
        found.clear();
    }
    found
        .iter()
        .map(|&(start, end, classes)| Signal { classes, start: bytes(start), end: bytes(end) })
        .collect()
}

fn classes(units: &Units, start: usize, end: usize, trailing: bool) -> Classes {
    let around =
        |before: usize, after: usize| &units[start.saturating_sub(before)..units.len().min(end + after)];
    let forward = &units[start..units.len().min(start + 240)];
    let with = |set: Classes, yes: bool, class: Class| if yes { set.with(class) } else { set };
    let mut set = Classes::NONE.with(Class::Marker);
    set = with(set, channel(around(64, 16)), Class::Channel);
    set = with(set, glitch(around(16, 16)), Class::Glitch);
    set = with(set, script(around(32, 32), around(200, 200)), Class::Script);
    set = with(set, cascade(forward), Class::Cascade);
    set = with(set, result(forward), Class::Result);
    with(set, trailing, Class::Trailing)
}

/// What texts are made of: what the rules speak of, whole, in parts and nearly.
fn fragment() -> impl Strategy<Value = String> {
    let literal = prop::sample::select(vec![
        "to=functions.",
        "to=functions.a",
        "to=functions.edit",
        " to=functions.eval",
        "to=functions.9z",
        "to=func",
        "to=functions.RTLU",
        "to=functions.user",
        "analysis ",
        "user\u{a0}",
        "tool\u{2028}",
        "commentary\n",
        "preuser ",
        "RTLU",
        "Jsii_commentary",
        " Jsii",
        "changedFiles ",
        "Japgolly",
        " code ",
        " code\n",
        "code",
        "code_output",
        " code_output\nCell 1:",
        "xcode_output \n\nCell\t12:",
        "Cell 3:",
        "<|end|>",
        "<|constrain|>",
        "<|channel",
        "|>",
        "<|",
        "```",
        "\n```\n",
        "~~~",
        "\n~~~~ x\n",
        " ```",
        "``",
        "`",
        "~",
        "\n",
        "\r",
        "\u{feff}",
        " ",
        "=",
        "o=",
        "大发",
        "大",
        "дд",
        "กก",
        "é",
        "😀",
        "\u{85}",
        "_",
        "9",
        ".",
        "|",
        "<",
    ])
    .prop_map(str::to_owned);
    let filler =
        (prop::sample::select(vec!["x", "-", " ", "é", "大", "😀", "lorem ipsum ", "\n"]), 1..220_usize)
            .prop_map(|(piece, count)| piece.repeat(count));
    prop_oneof![12 => literal, 1 => filler]
}

fn text(fragments: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(fragment(), 0..fragments).prop_map(|fragments| fragments.concat())
}

fn surface() -> impl Strategy<Value = Surface> {
    prop::sample::select(vec![Surface::Text, Surface::Thinking, Surface::ToolArg])
}

fn one_shot(text: &[u8], surface: Surface, parsed_end: Option<usize>) -> Vec<Signal> {
    let options = DetectOptions::new().parsed_end(parsed_end);
    detect(text, surface, &options).map_or(Vec::new(), |detection| detection.signals)
}

/// Pushes pieces of the given lengths, over and over.
fn streamed(text: &[u8], surface: Surface, parsed_end: Option<usize>, lengths: &[usize]) -> Vec<Signal> {
    let late = surface == Surface::ToolArg && [2, 4].contains(&lengths.len());
    let told = DetectOptions::new().parsed_end(parsed_end.filter(|_| !late));
    let mut detector = Detector::new(surface, told);
    let mut signals = Vec::new();
    let mut rest = text;
    for (n, &length) in lengths.iter().cycle().enumerate() {
        if rest.is_empty() {
            break;
        }
        if let (Some(end), 3) = (parsed_end, n) {
            signals.extend_from_slice(detector.set_parsed_end(end));
        }
        let (piece, behind) = rest.split_at(length.min(rest.len()));
        signals.extend_from_slice(detector.push(piece));
        rest = behind;
    }
    if let Some(end) = parsed_end {
        signals.extend_from_slice(detector.set_parsed_end(end));
    }
    signals.extend_from_slice(detector.finish());
    assert!(detector.push("<|end|>").is_empty());
    signals
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1500), ..ProptestConfig::default() })]

    #[test]
    fn both_readings_agree(
        text in text(40),
        surface in surface(),
        end in prop::option::of(0..600_usize),
        lengths in prop::collection::vec(1..60_usize, 1..6),
    ) {
        let expected = naive(&text, surface, end);
        prop_assert_eq!(one_shot(text.as_bytes(), surface, end), expected.clone());
        prop_assert_eq!(streamed(text.as_bytes(), surface, end, &[1]), expected.clone());
        prop_assert_eq!(streamed(text.as_bytes(), surface, end, &lengths), expected);
    }

    #[test]
    fn long_texts_in_pieces(
        head in text(30),
        middle in prop::sample::select(vec!["a", " ", "lorem ", "to=functions.a", "大", "😀 ", "`", "~ ", "\n", "<|end|>", "```\n"]),
        count in 0..12_000_usize,
        tail in text(60),
        surface in surface(),
        end in prop::option::of(0..30_000_usize),
        lengths in prop::collection::vec(prop_oneof![1..40_usize, 4_000..20_000_usize], 1..6),
    ) {
        let text = [&*head, &*middle.repeat(count), &*tail].concat();
        let expected = one_shot(text.as_bytes(), surface, end);
        prop_assert_eq!(streamed(text.as_bytes(), surface, end, &[17]), expected.clone());
        prop_assert_eq!(streamed(text.as_bytes(), surface, end, &lengths), expected);
    }

    #[test]
    fn bytes_that_are_no_text(
        text in text(30),
        broken in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        lengths in prop::collection::vec(1..60_usize, 1..6),
    ) {
        let mut bytes = text.into_bytes();
        for (at, byte) in broken {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        let expected = one_shot(&bytes, Surface::Text, Some(300));
        prop_assert_eq!(streamed(&bytes, Surface::Text, Some(300), &[1]), expected.clone());
        prop_assert_eq!(streamed(&bytes, Surface::Text, Some(300), &lengths), expected);
    }
}

/// More where there is time.
fn cases(count: u32) -> u32 {
    if std::env::var_os("HARMONY_FULL_TESTS").is_some() { count * 40 } else { count / 3 }
}
