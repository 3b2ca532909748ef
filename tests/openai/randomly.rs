//! Random streams: markup soups, and bytes of any kind.

use harmony_stream::openai::{ChatFilter, OllamaFilter, Settings, chat_body, ollama_body};
use harmony_stream::{Options, parse_with};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::assembled::{self, expected};
use crate::support::chunks;
use crate::support::full;
use crate::support::soup::soup;
use crate::upstream::{DONE, chat_chunks, ends, says};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: if full() { cases * 30 } else { cases },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Pieces of streams, good and bad, without a marker.
fn scrap() -> impl Strategy<Value = Vec<u8>> {
    let known = select(vec![
        says(0, "Noon").into_bytes(),
        says(0, " <").into_bytes(),
        says(1, "<|").into_bytes(),
        says(0, "\n").into_bytes(),
        ends(0, "stop").into_bytes(),
        ends(1, "length").into_bytes(),
        DONE.as_bytes().to_vec(),
        b": ping\n\n".to_vec(),
        b"data: {\"choices\":[{\"delta\":{\"content\":\"".to_vec(),
        b"data: ".to_vec(),
        b"\"}}]}".to_vec(),
        b"{\"message\":{\"content\":\"a <\"},\"done\":false}\n".to_vec(),
        b"{\"message\":{\"content\":\"b\"},\"done\":true}\n".to_vec(),
        b"\n\n".to_vec(),
        b"\r\n".to_vec(),
        b"\r".to_vec(),
    ]);
    prop_oneof![4 => known, 1 => vec(any::<u8>(), 0..6)]
}

fn stream() -> impl Strategy<Value = Vec<u8>> {
    vec(scrap(), 0..24).prop_map(|scraps| scraps.concat())
}

/// A soup of markup in what may or may not be a stream.
fn marked() -> impl Strategy<Value = Vec<u8>> {
    let said = (0..3u64, soup()).prop_map(|(choice, text)| says(choice, &text).into_bytes());
    vec(prop_oneof![said, scrap()], 0..10).prop_map(|scraps| scraps.concat())
}

macro_rules! run {
    ($filter:ident, $bytes:expr, $settings:expr, $seed:expr) => {{
        let (mut filter, mut out) = ($filter::new($settings), Vec::new());
        chunks::random(&$bytes[..], 40, $seed).into_iter().for_each(|chunk| filter.push(chunk, &mut out));
        let summary = filter.finish(&mut out);
        (out, summary)
    }};
}

fn policies() -> impl Strategy<Value = Settings> {
    select(vec![
        Settings::default(),
        Settings::default().parser(Options::default()),
        Settings::default().max_event(100).max_held(300).max_transcript(100).max_choices(1),
    ])
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn soups_are_split_as_the_parser_splits_them(text in soup(), seed: u64) {
        let pieces = chunks::random(&text[..], 9, seed);
        let stream: String = pieces.into_iter().map(|piece| says(0, piece)).collect();
        let stream = stream + &ends(0, "stop") + DONE;
        let cut = chunks::random(stream.as_bytes(), 200, seed);
        for options in [Options::lenient(), Options::default()] {
            let (out, summary) = chat_chunks(&cut, Settings::default().parser(options));
            let (got, parsed) = (assembled::only(&out), expected(&text, options));
            prop_assert_eq!(got.parts(), parsed.parts());
            if summary.split == 0 {
                prop_assert_eq!(out, &stream[..]);
            } else {
                let finish = parse_with(&text[..], options).finish;
                prop_assert_eq!(summary.all_deviations(), finish.deviations);
            }
        }
    }

    #[test]
    fn without_a_marker_nothing_changes(bytes in stream(), seed: u64) {
        let (out, _) = run!(ChatFilter, bytes, Settings::default(), seed);
        prop_assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&bytes));
        let (out, _) = run!(OllamaFilter, bytes, Settings::default(), seed);
        prop_assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&bytes));
        prop_assert_eq!(&*chat_body(&bytes, &Settings::default()).json, &bytes[..]);
        prop_assert_eq!(&*ollama_body(&bytes, &Settings::default()).json, &bytes[..]);
    }

    #[test]
    fn chunks_do_not_matter(bytes in marked(), settings in policies(), seed: u64) {
        let one = run!(ChatFilter, bytes, settings, seed);
        let other = run!(ChatFilter, bytes, settings, !seed);
        prop_assert_eq!(String::from_utf8_lossy(&one.0), String::from_utf8_lossy(&other.0));
        prop_assert_eq!(one.1, other.1);
        let one = run!(OllamaFilter, bytes, settings, seed);
        let other = run!(OllamaFilter, bytes, settings, !seed);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn any_bytes_pass(bytes in vec(any::<u8>(), 0..300), settings in policies(), seed: u64) {
        prop_assert_eq!(&run!(ChatFilter, bytes, settings, seed).0, &bytes);
        prop_assert_eq!(&run!(OllamaFilter, bytes, settings, seed).0, &bytes);
    }
}
