//! Several choices in one response, each with a parser of its own.

use harmony_stream::Options;
use harmony_stream::openai::Settings;
use serde_json::{Value, json};

use crate::assembled::{self, expected};
use crate::support::chunks::{Random, fixed};
use crate::support::transcripts::transcripts;
use crate::upstream::{DONE, chat, chunk, ends, role, says};

/// A few short transcripts, in pieces.
fn texts() -> Vec<(String, Vec<String>)> {
    let texts = transcripts().into_iter().map(|transcript| transcript.text);
    let pieces = |text: &str| fixed(text, 5).into_iter().map(str::to_owned).collect();
    texts.filter(|text| text.len() < 4000).map(|text| (text.clone(), pieces(&text))).collect()
}

fn check(stream: &str, texts: &[(String, Vec<String>)], options: Options) {
    let (out, _) = chat(stream, Settings::default().parser(options));
    let choices = assembled::chat(&out);
    assert_eq!(choices.len(), texts.len());
    for (index, (text, _)) in texts.iter().enumerate() {
        assert_eq!(choices[&(index as u64)].parts(), expected(text, options).parts(), "choice {index}");
    }
}

#[test]
fn chunks_of_several_choices_in_any_order() {
    let texts = texts();
    assert!(texts.len() > 4);
    for seed in 0..3 {
        let mut random = Random(seed);
        let mut stream: String = (0..texts.len() as u64).map(role).collect();
        let mut at = vec![0; texts.len()];
        let mut open: Vec<usize> = (0..texts.len()).collect();
        while !open.is_empty() {
            let pick = random.below(open.len());
            let choice = open[pick];
            if let Some(piece) = texts[choice].1.get(at[choice]) {
                stream += &says(choice as u64, piece);
                at[choice] += 1;
            } else {
                stream += &ends(choice as u64, "stop");
                open.swap_remove(pick);
            }
        }
        for options in [Options::lenient(), Options::default()] {
            check(&(stream.clone() + DONE), &texts, options);
        }
    }
}

#[test]
fn several_choices_in_one_chunk() {
    let texts = texts();
    let longest = texts.iter().map(|(_, pieces)| pieces.len()).max().expect("a text");
    let mut stream = String::new();
    for n in 0..=longest {
        let choice = |(index, (_, pieces)): (usize, &(String, Vec<String>))| -> Option<Value> {
            let text = pieces.get(n).map(|piece| json!({"content": piece}));
            let ends = (n == pieces.len()).then_some("stop");
            (n <= pieces.len())
                .then(|| json!({"index": index, "delta": text.unwrap_or(json!({})), "finish_reason": ends}))
        };
        let choices: Vec<Value> = texts.iter().enumerate().rev().filter_map(choice).collect();
        stream += &chunk(choices.into());
    }
    for options in [Options::lenient(), Options::default()] {
        check(&stream, &texts, options);
    }
}

#[test]
fn a_plain_choice_beside_a_split_one() {
    let plain = says(1, "Noon, or <b>.");
    let stream = says(0, "<|channel|>analysis<|message|>Hm.") + &plain + &says(0, " So?");
    let (out, summary) = chat(&stream, Settings::default());
    assert!(out.contains(&plain));
    assert_eq!(summary.split, 1);
}

#[test]
fn an_event_waits_behind_another_choice() {
    let stream = says(0, "a <") + &says(1, "b") + &says(1, "c <") + &says(0, "d") + &says(1, "e");
    assert_eq!(chat(&stream, Settings::default()).0, stream);
}

#[test]
fn one_choice_gives_up_while_another_waits_in_the_same_chunk() {
    let both = |first: Value, second: Value| {
        chunk(json!([{"index": 0, "delta": first}, {"index": 1, "delta": second}]))
    };
    let stream = both(json!({"content": "a <"}), json!({"content": "<|channel|>final<|message|>b <"}))
        + &both(json!({"content": "|"}), json!({"reasoning_content": "c"}))
        + &says(0, "d");
    let choices = assembled::chat(&chat(&stream, Settings::default()).0);
    assert_eq!((&*choices[&0].content, &*choices[&1].content), ("a <|d", "b <"));
    assert_eq!(choices[&1].reasoning, "c");
}

/// Only one that is missing or null is the place in the list; with any other the event passes as it came.
#[test]
fn an_index_that_is_none() {
    let other = "<|channel|>analysis<|message|>B";
    for index in ["1.0", "1e0", "-1", "18446744073709551616", "\"1\"", "[]"] {
        let odd = says(0, other).replace("\"index\":0", &format!("\"index\":{index}"));
        let stream = says(0, "<|channel|>final<|message|>A") + &odd + &says(0, "A2") + DONE;
        let (out, summary) = chat(&stream, Settings::default());
        assert!(out.contains(&odd), "{out}");
        assert_eq!(assembled::chat(&out.replace(&odd, ""))[&0].content, "AA2", "{index}");
        assert_eq!(summary.unreadable, 1);
    }
    for index in ["null", "0"] {
        let first = says(0, other).replace("\"index\":0", &format!("\"index\":{index}"));
        let (out, _) = chat(&(first + DONE), Settings::default());
        assert!(out.contains("\"reasoning_content\":\"B\""), "{out}");
    }
}
