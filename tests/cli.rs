//! The program `harmony-stream`, from outside.

#[path = "support/program.rs"]
mod program;
mod support;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Output};

use program::program;
use serde_json::Value;
use support::transcripts::{Transcript, transcripts};
use support::vectors::Row;

/// Runs to the end with `input` on standard input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = program(arguments).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // In a thread of its own: a long input fills one pipe while the output fills the other. Who stops reading early,
    // as after a bad argument, breaks the pipe.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn path(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    folder.join(name).to_str().expect("a path in UTF-8").to_owned()
}

const CALL: &str = "<|channel|>analysis<|message|>Ask.<|end|>\
    <|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\":\"Oslo\",\"days\":[1,2],\"o\":{}}<|call|>";

fn check_result(turn: &Transcript, expected: &Row, arguments: &[&str]) {
    let output = run(arguments, turn.text.as_bytes());
    let context = || format!("{} with {arguments:?}: {}", turn.name, stderr(&output));
    let value: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", context()));
    let result = Row::of(value);
    assert_eq!(result.failed(), expected.failed(), "{}", context());
    let content = if expected.failed() { &turn.text } else { expected.text("content") };
    assert_eq!(result.text("content"), content, "{}", context());
    assert_eq!(result.text("reasoning"), expected.text("reasoning"), "{}", context());
    assert_eq!(result.calls(), expected.calls(), "{}", context());
    assert_eq!(output.status.code(), Some(i32::from(expected.failed())), "{}", context());
}

#[test]
fn json_is_the_result_of_every_transcript() {
    for turn in transcripts() {
        check_result(&turn, &turn.expected, &["--format", "json"]);
        check_result(&turn, &turn.expected, &["parse", "--format", "json", "--chunk", "7", "-"]);
        check_result(
            &turn,
            turn.lenient.as_ref().unwrap_or(&turn.expected),
            &["--format", "json", "--lenient"],
        );
    }
}

#[test]
fn what_is_said_outright_counts_more_than_the_preset() {
    let turn = transcripts().into_iter().find(|turn| turn.name == "python-on-analysis").expect("it is there");
    let arguments = ["--format", "json", "--lenient", "--routing", "commentary-functions"];
    check_result(&turn, &turn.expected, &arguments);
    check_result(&turn, &turn.expected, &["--format", "json", "--routing", "commentary-functions"]);
    let lenient = turn.lenient.as_ref().expect("other calls");
    let spelled_out = ["--format", "json", "--policy", "recover", "--routing", "any-recipient"];
    check_result(&turn, lenient, &spelled_out);
}

#[test]
fn events_are_the_exact_lines_that_are_documented() {
    let output = run(&["--format", "events"], CALL.as_bytes());
    let expected = r#"{"event":"message_start","channel":"analysis","recipient":null}
{"event":"reasoning","text":"Ask."}
{"event":"message_end","end":"end"}
{"event":"message_start","channel":"commentary","recipient":"functions.weather"}
{"event":"tool_call_start","index":0,"name":"weather","recipient":"functions.weather"}
{"event":"tool_call_arguments","index":0,"text":"{\"city\":\"Oslo\",\"days\":[1,2],\"o\":{}}"}
{"event":"tool_call_end","index":0,"arguments":"{\"city\":\"Oslo\",\"days\":[1,2],\"o\":{}}","status":"complete"}
{"event":"message_end","end":"call"}
{"event":"finish","failure":null,"last_end":"call","deviations":0,"bytes":{"analysis":4,"commentary":35,"final":0,"other":0}}
"#;
    assert_eq!(stdout(&output), expected);
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn events_of_a_failure_and_of_a_repair() {
    let text = "<|channel|>final<|message|>Tab\t\"é\" \u{1}\u{7f}/<|channel|>";
    let output = run(&["--format", "events", "--chunk", "60"], text.as_bytes());
    let whole =
        r#"<|channel|>final<|message|>Tab\t\"é\" \u0001/<|channel|>"#.replace("\\u0001/", "\\u0001\u{7f}/");
    let failed = [
        r#"{"event":"rollback"}"#.to_owned(),
        format!(r#"{{"event":"content","text":"{whole}"}}"#),
        r#"{"event":"finish","failure":{"kind":"channel_in_body","offset":39},"last_end":null,"deviations":0,"bytes":{"analysis":0,"commentary":0,"final":0,"other":50}}"#.to_owned(),
    ];
    assert_eq!(
        stdout(&output).lines().rev().take(3).collect::<Vec<_>>(),
        [&failed[2], &failed[1], &failed[0]]
    );
    assert_eq!(output.status.code(), Some(1));

    let output = run(&["--format", "events", "--policy", "recover"], b"Hi.<|return|>");
    let expected = r#"{"event":"content","text":"Hi."}
{"event":"deviation","kind":"stray_terminator","offset":3,"dropped":"<|return|>"}
"#;
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn text_shows_what_is_what() {
    let text = format!("{CALL}<|start|>assistant<|channel|>final<|message|>Rain.<|return|>");
    let output = run(&[], text.as_bytes());
    let expected = "\
[reasoning]
Ask.
[call 0: functions.weather]
{
  \"city\": \"Oslo\",
  \"days\": [
    1,
    2
  ],
  \"o\": {}
}
[answer]
Rain.
[summary]
outcome   parsed
ended by  <|return|>
calls     1 complete, 0 malformed, 0 incomplete
bytes     4 analysis, 35 commentary, 5 final, 0 other
";
    assert_eq!(stdout(&output), expected);
    for chunk in ["1", "3", "1000000000000"] {
        assert_eq!(stdout(&run(&["--chunk", chunk], text.as_bytes())), expected, "in chunks of {chunk}");
    }
}

#[test]
fn text_tells_of_a_rollback_and_of_the_reason() {
    let output = run(&["--chunk", "1"], b"<|channel|>final<|message|>So<|message|>");
    let expected = "\
[answer]
So
[taken back: the text breaks the grammar, so all of it follows unchanged]
[text as it came]
<|channel|>final<|message|>So<|message|>
[summary]
outcome   failed at byte 29: a control token that may not stand in this body is followed by text; all of the text is unchanged
";
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn repairs_stand_where_they_happened() {
    let text = "<|channel|>final<|message|>Noon.<|return|><|return|> <|start|>assistant<|channel|>commentary \
                to=python<|message|>print(1)<|call|>";
    let output = run(&["--lenient"], text.as_bytes());
    let expected = "\
[answer]
Noon.
[byte 42: a terminator stands where no message is open, so it is dropped; dropped \"<|return|>\"]
";
    assert!(stdout(&output).starts_with(expected), "{}", stdout(&output));
    assert!(stdout(&output).contains("\n[call 0: python]\n"), "{}", stdout(&output));
    assert!(
        stdout(&output).contains("\nprint(1)\n[call 0 is malformed: do not run it]\n"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("\noutcome   repaired, deviations: "), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0));
}

/// A layout that was made for JSON is no way to show what is none.
#[test]
fn malformed_arguments_are_shown_as_they_came_too() {
    let text = "<|channel|>commentary to=functions.f<|message|>{\"a\":  1,}<|call|>";
    let output = run(&["--lenient"], text.as_bytes());
    assert!(stdout(&output).contains("[its arguments as they came]\n{\"a\":  1,}\n"), "{}", stdout(&output));
}

#[test]
fn every_start_is_understood() {
    let parsed = |start: &str, text: &str| {
        let output = run(&["--format", "json", "--start", start], text.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{start}: {}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    assert_eq!(parsed("detect", "<|channel|>final<|message|>A.")["content"], "A.");
    assert_eq!(parsed("assistant-header", "<|message|>B.")["content"], "B.");
    assert_eq!(parsed("analysis-body", "C.<|end|>")["reasoning"], "C.");
    assert_eq!(parsed("final-body", "D.")["content"], "D.");
}

/// Nothing waits for the end of the input that can be shown now.
#[test]
fn output_is_live() {
    let mut child = program(&[]).spawn().expect("the program starts");
    let (mut stdin, mut stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    stdin.write_all(b"<|channel|>analysis<|message|>First").expect("it reads");
    stdin.flush().expect("a pipe");
    let mut seen = [0; "[reasoning]\nFirst".len()];
    // If the program held it back, this would wait for ever; the pipe is still open.
    stdout.read_exact(&mut seen).expect("it writes");
    assert_eq!(&seen, b"[reasoning]\nFirst");
    stdin.write_all(b" then.<|end|>").expect("it reads on");
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("UTF-8");
    assert!(rest.starts_with(" then.\n[summary]\n"), "{rest}");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn no_colours_into_a_pipe() {
    let output = run(&["--lenient"], b"<|channel|>analysis<|message|>Hm.<|end|><|end|>");
    assert!(!output.stdout.contains(&0x1b), "{}", stdout(&output));
}

#[test]
fn bytes_that_are_no_utf8() {
    let text = b"<|channel|>final<|message|>a\xff\xe3\x81b<|return|>";
    let shown = run(&[], text);
    assert!(shown.stdout.starts_with(b"[answer]\na\xff\xe3\x81b\n"), "text passes bytes through");
    let events = run(&["--format", "events", "--chunk", "1"], text);
    let pieces: String = stdout(&events)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter_map(|event| Some(event["text"].as_str()?.to_owned()))
        .collect();
    assert_eq!(pieces, "a\u{fffd}\u{fffd}b");
    let json: Value = serde_json::from_slice(&run(&["--format", "json"], text).stdout).expect("JSON");
    assert_eq!(json["content"], "a\u{fffd}\u{fffd}b");
}

#[test]
fn files_and_standard_input_are_the_same() {
    let file = path("multilingual.txt");
    let text = std::fs::read(&file).expect("it is there");
    let from_file = run(&["--chunk", "5", &file], b"");
    assert_eq!(from_file.status.code(), Some(0));
    assert_eq!(stdout(&from_file), stdout(&run(&["parse", "--chunk", "5"], &text)));
    assert_eq!(stdout(&from_file), stdout(&run(&["--chunk", "5", "-"], &text)));
}

#[test]
fn bad_use_says_what_to_do() {
    let cases: [(&[&str], &[&str]); 7] = [
        (
            &["no-such-turn.txt"],
            &["harmony-stream: cannot read no-such-turn.txt: ", "check the path, or give -"],
        ),
        (&[env!("CARGO_MANIFEST_DIR")], &["cannot read ", "give a file in it"]),
        (&["--chunk", "0"], &["--chunk", "at least 1"]),
        (&["--chunk", "-1"], &["--chunk", "at least 1"]),
        (&["--format", "yaml"], &["yaml", "events"]),
        (&["--polcy", "recover"], &["--policy"]),
        (&["one.txt", "two.txt"], &["two.txt", "one FILE", "cat"]),
    ];
    for (arguments, words) in cases {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        for word in words {
            assert!(
                stderr(&output).contains(word),
                "{arguments:?}: {word:?} is not in {:?}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn help_teaches() {
    let help = run(&["--help"], b"");
    assert_eq!(help.status.code(), Some(0));
    for word in [
        "<|channel|>analysis<|message|>",
        "--format",
        "--lenient",
        "Examples:",
        "Exit status:",
        "[default: verbatim]",
    ] {
        assert!(stdout(&help).contains(word), "{word} is not in {}", stdout(&help));
    }
    let parse = run(&["parse", "--help"], b"");
    assert!(stdout(&parse).contains("Exit status:"), "{}", stdout(&parse));
    assert!(stdout(&run(&["--version"], b"")).contains(env!("CARGO_PKG_VERSION")));
}

/// As with `harmony-stream turn.txt | head -1`.
#[test]
fn a_reader_may_leave() {
    let mut child: Child = program(&["--format", "events", "--chunk", "1", &path("long-answer.txt")])
        .spawn()
        .expect("the program starts");
    let mut first = [0; 1];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("it writes");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

/// Indenting each of many levels by its depth would fill a disk.
#[test]
fn deep_arguments_stay_small() {
    let levels = 20_000;
    let object = format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    let text = format!("<|channel|>commentary to=functions.f<|message|>{object}<|call|>");
    let output = run(&[], text.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.len() < 100 * levels, "{} bytes", output.stdout.len());
    let shown: String = stdout(&output).split_whitespace().collect();
    assert!(shown.contains(&object), "nothing but white space is added");
}
