//! Markup soups: text that a model might write on a bad day, and worse.
//!
//! Whole messages are likely enough for about half of the soups to parse; the rest is damage of every kind.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::chunks::Random;
use super::drive::Blob;
use super::vectors::Item;
use super::{MARKERS, first_marker};

const ROLES: [&str; 7] = ["assistant", "user", "system", "developer", "tool", "", "assis"];

const CHANNELS: [&str; 12] = [
    "analysis",
    "commentary",
    "final",
    "final",
    "",
    "Final",
    "finally",
    "commentary?",
    "analysis2",
    "final\u{301}",
    "commentary?commentary",
    "??",
];

const RECIPIENTS: [&str; 14] = [
    "to=functions.f",
    "to=functions.get_weather",
    "to=functions.a-b.c_9",
    "to=functions.",
    "to=functions.-x",
    "to=functions.Zoë",
    "to=python",
    "to=browser.search",
    "to=assistant",
    "to=",
    "xto=functions.g",
    "functions.h",
    "to=functions.f to=functions.g",
    "to=user",
];

const OBJECTS: [&str; 12] = [
    "{}",
    "{\"city\":\"Oslo\"}",
    "{ \"a\" : [1, -2.5e+3, 0, true, false, null, {}] }",
    "{\"q\":\"use <|call|> or <|end|>\"}",
    "{\"q\":\"<|start|>assistant<|channel|>final<|message|>hi<|return|>\"}",
    "{\"s\":\"\\\"\\\\\\/\\b\\n\\u00e9\\ud800\"}",
    "{\"emoji\":\"🦀 e\u{301}\"}",
    "{\"a\":{\"a\":{\"a\":[[[]]]}}}",
    "{\"n\":1e999,\"n\":-0}",
    "{\n\t\"a\":\r\n1\n}",
    "{\"<|message|>\":\"<|\"}",
    "{\"a\":\"\u{feff}\u{7f}\"}",
];

const JSON_PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u12",
    "\"a\"",
    "\"a\":",
    "1",
    "01",
    "-",
    "1.",
    "1e",
    "true",
    "nul",
    "[1,2]",
    "123",
    "\"\t\"",
    "{\"a\":1,}",
    "{'a':1}",
    "{\"a\":1}}",
];

const SPACES: [&str; 12] = [
    " ", "\n", "\t", "\r\n", "\u{b}", "\u{c}", "\u{a0}", "\u{1680}", "\u{2003}", "\u{2028}", "\u{3000}",
    "\u{feff}",
];

const NO_SPACES: [&str; 5] = ["\u{85}", "\u{200b}", "\u{180e}", "\0", "\u{1f}"];

const TEXTS: [&str; 20] = [
    "Hello.",
    "The answer is 42",
    "a",
    ".",
    "?",
    "...",
    "ünïcödé",
    "日本語",
    "🇳🇴👩‍👩‍👧",
    "e\u{301}",
    "a < b && c | d",
    "<div>",
    "x<",
    "`",
    "json",
    "code",
    "finally",
    "assistant",
    "final",
    "{not json",
];

const DAMAGED: [&str; 18] = [
    "<",
    "<|",
    "<|s",
    "<|start",
    "<|start|",
    "<|end|",
    "<|c",
    "<|ca",
    "<|cha",
    "<|con",
    "<|constrain|",
    "|>",
    "<<|",
    "<|START|>",
    "<| end |>",
    "<|reserved_1|>",
    "<|startx|>",
    "<|\u{301}",
];

/// Boxed, since the nested types would fill a test thread's stack in debug builds.
type Soup = BoxedStrategy<String>;

fn one(of: &'static [&'static str]) -> Soup {
    select(of).prop_map(str::to_owned).boxed()
}

fn join(pieces: Vec<String>) -> String {
    pieces.concat()
}

fn space() -> Soup {
    prop_oneof![
        4 => Just(String::new()),
        4 => Just(" ".to_owned()),
        2 => one(&SPACES),
        1 => vec(one(&SPACES), 1..4).prop_map(join),
    ]
    .boxed()
}

fn text() -> Soup {
    prop_oneof![
        8 => one(&TEXTS),
        2 => one(&DAMAGED),
        1 => one(&NO_SPACES),
        1 => "\\PC{1,6}",
        2 => (one(&TEXTS), one(&SPACES), one(&TEXTS)).prop_map(|(a, b, c)| a + &b + &c),
    ]
    .boxed()
}

/// Text long enough for a few of them to pass the limit of header text.
fn long_text() -> Soup {
    (one(&TEXTS), 200usize..700)
        .prop_map(|(text, size)| {
            let unit = text + " ";
            unit.repeat(size / unit.len() + 1)
        })
        .boxed()
}

fn recipient() -> Soup {
    prop_oneof![
        3 => Just(String::new()),
        3 => Just(" to=functions.f".to_owned()),
        2 => (space(), one(&RECIPIENTS)).prop_map(|(a, b)| a + &b),
    ]
    .boxed()
}

fn role_slot() -> Soup {
    prop_oneof![
        3 => Just(String::new()),
        5 => Just("<|start|>assistant".to_owned()),
        3 => (one(&ROLES), recipient()).prop_map(|(role, to)| format!("<|start|>{role}{to}")),
    ]
    .boxed()
}

fn channel_word() -> Soup {
    prop_oneof![5 => one(&CHANNELS[..4]), 2 => one(&CHANNELS)].boxed()
}

fn channel_slot() -> Soup {
    prop_oneof![
        1 => Just(String::new()),
        8 => (space(), channel_word(), recipient(), space())
            .prop_map(|(a, word, to, b)| format!("<|channel|>{a}{word}{to}{b}")),
    ]
    .boxed()
}

fn constraint() -> Soup {
    prop_oneof![
        5 => Just(String::new()),
        2 => Just("<|constrain|>json".to_owned()),
        1 => (space(), recipient()).prop_map(|(a, b)| format!("<|constrain|>{a}code{b}")),
        1 => Just("<|constrain|>".to_owned()),
    ]
    .boxed()
}

fn header() -> Soup {
    (role_slot(), channel_slot(), constraint()).prop_map(|(a, b, c)| format!("{a}{b}{c}<|message|>")).boxed()
}

fn object() -> Soup {
    prop_oneof![
        4 => (space(), one(&OBJECTS), space()).prop_map(|(a, b, c)| a + &b + &c),
        1 => (one(&OBJECTS), one(&OBJECTS)).prop_map(|(outer, inner)| format!("{{\"in\":{inner},\"out\":{outer}}}")),
        1 => vec(one(&JSON_PIECES), 1..8).prop_map(join),
    ]
    .boxed()
}

fn quoting_body() -> Soup {
    (text(), one(&MARKERS), space(), text()).prop_map(|(a, b, c, d)| format!("{a}{b}{c}{d}")).boxed()
}

fn body() -> Soup {
    prop_oneof![4 => text(), 2 => quoting_body(), 1 => Just(String::new()), 1 => vec(text(), 1..5).prop_map(join)]
    .boxed()
}

fn terminator() -> Soup {
    prop_oneof![
        4 => Just("<|end|>".to_owned()),
        2 => Just("<|return|>".to_owned()),
        2 => Just("<|call|>".to_owned()),
        1 => Just(String::new()),
    ]
    .boxed()
}

fn message() -> Soup {
    (header(), body(), terminator(), space()).prop_map(|(a, b, c, d)| a + &b + &c + &d).boxed()
}

fn good_message() -> Soup {
    (one(&CHANNELS[..3]), one(&TEXTS[..10]))
        .prop_map(|(channel, text)| format!("<|start|>assistant<|channel|>{channel}<|message|>{text}<|end|>"))
        .boxed()
}

fn call() -> Soup {
    (one(&RECIPIENTS), constraint(), object(), space())
        .prop_map(|(to, constraint, object, space)| {
            format!(
                "<|start|>assistant<|channel|>commentary {to} {constraint}<|message|>{object}<|call|>{space}"
            )
        })
        .boxed()
}

fn scrap() -> Soup {
    prop_oneof![
        60 => one(&MARKERS),
        30 => text(),
        20 => one(&SPACES),
        20 => one(&JSON_PIECES),
        15 => one(&DAMAGED),
        15 => channel_word(),
        10 => one(&RECIPIENTS),
        10 => one(&ROLES),
        10 => object(),
        1 => long_text(),
    ]
    .boxed()
}

fn good_call() -> Soup {
    (space(), one(&OBJECTS), space()).prop_map(|(a, object, b)| {
        format!("<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{a}{object}{b}<|call|>")
    })
    .boxed()
}

fn good_quotation() -> Soup {
    (one(&CHANNELS[..3]), select(&[1, 5, 6, 4][..]), one(&TEXTS))
        .prop_map(|(channel, marker, text)| {
            format!("<|channel|>{channel}<|message|>See {} {text}.<|return|>", MARKERS[marker])
        })
        .boxed()
}

/// A turn as it should be: most of these parse.
fn turn() -> Soup {
    let piece = prop_oneof![3 => good_message(), 2 => good_call(), 2 => good_quotation(), 1 => one(&SPACES)];
    (vec(piece, 1..6), body())
        .prop_map(|(pieces, last)| {
            format!("{}<|start|>assistant<|channel|>final<|message|>{last}", pieces.concat())
        })
        .boxed()
}

/// A soup, a few bytes to a few kilobytes long.
pub(crate) fn soup() -> Soup {
    let piece = prop_oneof![
        6 => message(),
        4 => good_message(),
        3 => call(),
        6 => scrap(),
        1 => header(),
    ];
    prop_oneof![
        3 => turn(),
        2 => vec(prop_oneof![message(), good_message(), call()], 1..5).prop_map(join),
        4 => vec(piece, 0..8).prop_map(join),
        2 => vec(scrap(), 0..24).prop_map(join),
    ]
    .boxed()
}

/// Bytes that are mostly a soup, and mostly UTF-8.
pub(crate) fn broken_soup() -> impl Strategy<Value = Blob> {
    let damage =
        (any::<prop::sample::Index>(), select(&[0x80u8, 0xff, 0xc2, 0xe3, 0xf0, 0x9f, b'<', b'"'][..]));
    (soup(), vec(damage, 0..4)).prop_map(|(soup, damages)| {
        let mut bytes = soup.into_bytes();
        for (at, byte) in damages {
            bytes.insert(at.index(bytes.len() + 1), byte);
        }
        Blob(bytes)
    })
}

/// A soup as token input: most markers are control tokens, some are only spelled in the text.
pub(crate) fn token_soup() -> impl Strategy<Value = Vec<Item>> {
    (soup(), any::<u64>()).prop_map(|(soup, seed)| {
        let mut random = Random(seed);
        items(&soup, || random.below(8) > 0)
    })
}

fn items(mut soup: &str, mut is_token: impl FnMut() -> bool) -> Vec<Item> {
    let mut items = Vec::new();
    let mut spelled = 0;
    while let Some((at, marker)) = marker_from(soup, spelled) {
        if !is_token() {
            spelled = at + marker.len();
            continue;
        }
        items.push(Item::Text(soup[..at].to_owned()));
        items.push(Item::Control(marker.trim_matches(['<', '|', '>']).to_owned()));
        soup = &soup[at + marker.len()..];
        spelled = 0;
    }
    items.push(Item::Text(soup.to_owned()));
    items
}

fn marker_from(text: &str, from: usize) -> Option<(usize, &'static str)> {
    first_marker(&text[from..]).map(|(at, marker)| (from + at, marker))
}
