//! The verbatim policy: nothing with harmony goes out before it is sure.

use harmony_stream::Options;
use harmony_stream::openai::{ChatFilter, Settings};

use crate::assembled::only;
use crate::upstream::{DONE, chat, chat_stream, ends, says};

fn settings() -> Settings {
    Settings::default().parser(Options::default())
}

#[test]
fn a_turn_goes_out_with_its_finish_reason() {
    let mut filter = ChatFilter::new(settings());
    let mut out = Vec::new();
    filter.push(says(0, "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final").as_bytes(), &mut out);
    filter.push(says(0, "<|message|>Noon.").as_bytes(), &mut out);
    assert!(out.is_empty());
    filter.push(ends(0, "stop").as_bytes(), &mut out);
    let got = only(std::str::from_utf8(&out).expect("UTF-8"));
    assert_eq!((&*got.reasoning, &*got.content, got.reason.as_deref()), ("Hm.", "Noon.", Some("stop")));
}

#[test]
fn a_failed_turn_comes_as_it_was_and_at_once() {
    let mut filter = ChatFilter::new(settings());
    let mut out = Vec::new();
    let stream = says(0, "<|channel|>final<|message|>Noon.") + &says(0, "<|message|>");
    filter.push(stream.as_bytes(), &mut out);
    assert_eq!(String::from_utf8_lossy(&out), stream);
    let rest = says(0, "<|end|>") + &ends(0, "tool_calls") + DONE;
    filter.push(rest.as_bytes(), &mut out);
    let summary = filter.finish(&mut out);
    assert_eq!(String::from_utf8_lossy(&out), stream + &rest);
    assert_eq!((summary.failed, summary.split, summary.all_deviations()), (1, 0, 0));
}

#[test]
fn comments_do_not_wait() {
    let mut filter = ChatFilter::new(settings());
    let mut out = Vec::new();
    filter.push(says(0, "<|channel|>final<|message|>Noon.").as_bytes(), &mut out);
    filter.push(b": ping\n\n", &mut out);
    assert_eq!(out, b": ping\n\n");
}

#[test]
fn a_turn_that_is_cut_fails_and_keeps_the_upstreams_reason() {
    let stream = chat_stream("<|channel|>commentary to=functions.f<|message|>{\"a\":", 4, "length");
    let (out, summary) = chat(&stream, settings());
    assert_eq!(out, stream);
    assert_eq!((summary.failed, summary.incomplete_calls), (1, 0));
}

#[test]
fn a_stream_that_just_stops_is_split_then() {
    let (out, _) = chat(&(says(0, "<|channel|>final<|message|>Noon.") + DONE), settings());
    assert_eq!((only(&out).content, only(&out).reason), ("Noon.".to_owned(), None));
    assert!(out.ends_with(DONE));
}
