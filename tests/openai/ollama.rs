//! Lines of Ollama.

use harmony_stream::openai::Settings;

use crate::assembled;
use crate::upstream::{last_line, line, ollama};

#[test]
fn a_call_goes_out_whole_and_on_one_line() {
    let arguments = "{\n  \"n\": 1.50,\r\n  \"s\": \"a\\nb\"\n}";
    let pieces = ["<|channel|>commentary to=functions.f<|message|>", arguments, "<|call|>"];
    let stream: String = pieces.map(line).concat() + &last_line("stop");
    let (out, _) = ollama(&stream, Settings::default());
    let (got, _) = assembled::ollama(&out);
    assert_eq!(got.calls, [("f".to_owned(), "{   \"n\": 1.50,    \"s\": \"a\\nb\" }".to_owned())]);
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn what_else_is_in_a_line_stays_with_its_last_piece() {
    let text = "<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Noon.";
    let stream = format!(
        "{{\"model\":\"m\",\"created_at\":\"t\",\"message\":{{\"role\":\"assistant\",\"content\":\"{text}\",\
         \"images\":null}},\"done_reason\":\"stop\",\"done\":true,\"total_duration\":1.0e9}}\r\n"
    );
    let expected = "{\"model\":\"m\",\"created_at\":\"t\",\"message\":{\"role\":\"assistant\",\"content\":\"\",\
                    \"thinking\":\"Hm.\"},\"done\":false}\r\n\
                    {\"model\":\"m\",\"created_at\":\"t\",\"message\":{\"role\":\"assistant\",\"content\":\
                    \"Noon.\",\"images\":null},\"done_reason\":\"stop\",\"done\":true,\"total_duration\":1.0e9}\r\n";
    assert_eq!(ollama(&stream, Settings::default()).0, expected);
}

#[test]
fn the_reason_of_ollama_stays() {
    let stream = line("<|channel|>commentary to=functions.f<|message|>{}<|call|>") + &last_line("stop");
    assert!(ollama(&stream, Settings::default()).0.ends_with(&last_line("stop")));
}
