//! `harmony-stream sse` and `harmony-stream ndjson`, from outside.

#[path = "support/program.rs"]
mod program;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Output};

use program::program;
use serde_json::{Value, json};

fn start(arguments: &[&str]) -> Child {
    program(arguments).spawn().expect("the program starts")
}

/// Runs to the end; the input is short enough for a pipe.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().expect("a pipe");
    // Who does not read, as after a wrong argument, breaks the pipe.
    stdin.write_all(input.as_bytes()).ok();
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn event(text: &str, reason: Option<&str>) -> String {
    let choice = json!({"index": 0, "delta": {"content": text}, "finish_reason": reason});
    format!("data: {}\n\n", json!({"id": "x", "choices": [choice]}))
}

fn line(text: &str, done: bool) -> String {
    format!("{}\n", json!({"message": {"role": "assistant", "content": text}, "done": done}))
}

const CALL: &str = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary \
                    to=functions.tide<|message|>{\"port\":1}<|call|>";

#[test]
fn sse_splits_a_stream() {
    let stream = event(CALL, None) + &event("", Some("stop")) + "data: [DONE]\n\n";
    let output = run(&["sse"], &stream);
    let out = stdout(&output);
    for part in [
        "\"reasoning_content\":\"Hm.\"",
        "\"name\":\"tide\"",
        "\"finish_reason\":\"tool_calls\"",
        "data: [DONE]\n\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("<|"), "{out}");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let out = run(&["sse", "--reasoning", "reasoning"], &stream);
    assert!(stdout(&out).contains("\"reasoning\":\"Hm.\""));
}

#[test]
fn ndjson_splits_a_stream() {
    let output = run(&["ndjson"], &(line(CALL, false) + &line("", true)));
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(lines[0]["message"]["thinking"], "Hm.");
    assert_eq!(lines[1]["message"]["tool_calls"][0]["function"]["arguments"], json!({"port": 1}));
    assert_eq!((lines.len(), &lines[2]["done"]), (3, &json!(true)));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_no_stream_passes_through() {
    // What is not read is no failure where server-sent events allow it: a comment, a field of no meaning.
    for (input, sse, ndjson) in
        [("", 0, 0), ("no stream\n", 0, 1), ("data: {\n\n", 1, 1), (": ping\r\n\r\n", 0, 1)]
    {
        for (command, status) in [("sse", sse), ("ndjson", ndjson)] {
            let output = run(&[command], input);
            assert_eq!((stdout(&output), output.status.code()), (input, Some(status)), "{command} {input}");
        }
    }
}

/// What has come out, while standard input stays open.
fn next_line(child: &mut (ChildStdin, BufReader<ChildStdout>), input: &str) -> String {
    child.0.write_all(input.as_bytes()).expect("the program reads");
    child.0.flush().expect("the program reads");
    let mut line = String::new();
    while line.trim().is_empty() {
        line.clear();
        assert!(child.1.read_line(&mut line).expect("UTF-8") > 0, "the output has ended");
    }
    line
}

#[test]
fn pieces_come_out_before_the_input_ends() {
    for (command, say) in [
        ("sse", (|text| event(text, None)) as fn(&str) -> String),
        ("ndjson", (|text| line(text, false)) as fn(&str) -> String),
    ] {
        let mut child = start(&[command]);
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(stdin), Some(stdout)) = pipes else { panic!("no pipes") };
        let mut pipes = (stdin, BufReader::new(stdout));
        let first = next_line(&mut pipes, &say("<|channel|>analysis<|message|>Hm."));
        assert!(first.contains("\"Hm.\"") && !first.contains("\"content\":\"Hm.\""), "{first}");
        let second = next_line(&mut pipes, &say("<|end|><|channel|>final<|message|>Noon"));
        assert!(second.contains("\"content\":\"Noon\""), "{second}");
        drop(pipes);
        assert!(child.wait().expect("the program ends").success());
    }
}

#[test]
fn the_report_has_numbers_and_no_text() {
    let stream = event("<|channel|>final<|message|>Noon.<|return|><|return|>", Some("stop"));
    let output = run(&["sse", "--report"], &stream);
    let report: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    let expected = json!({
        "split": 1, "failed": 0, "unreadable": 0,
        "calls": {"complete": 0, "malformed": 0, "incomplete": 0},
        "deviations": {"stray_terminator": 1},
        "bytes": {"analysis": 0, "commentary": 0, "final": 5, "other": 0},
        "limits": {"event": 0, "transcript": 0, "held": 0, "choices": 0},
    });
    assert_eq!(report, expected);
}

#[test]
fn the_exit_status_tells_of_what_was_not_split() {
    let broken = event("<|channel|>final<|message|>Noon.<|message|>", Some("stop"));
    let output = run(&["sse", "--policy", "verbatim"], &broken);
    assert_eq!((stdout(&output), output.status.code()), (&*broken, Some(1)));
    assert_eq!(run(&["sse"], &broken).status.code(), Some(0));
    let long = line("<|channel|>final<|message|>Noon.", true);
    for limit in ["--max-event", "--max-transcript"] {
        let output = run(&["ndjson", limit, "9"], &long);
        assert_eq!((stdout(&output), output.status.code()), (&*long, Some(1)), "{limit}");
    }
    let output = run(&["ndjson", "--max-choices", "0", "--report"], &long);
    assert_eq!((stdout(&output), output.status.code()), (&*long, Some(1)));
    let held = run(&["ndjson", "--policy", "verbatim", "--max-held", "9"], &line(CALL, false));
    assert_eq!((stdout(&held), held.status.code()), (&*line(CALL, false), Some(1)));
}

#[test]
fn wrong_arguments_and_missing_files_are_named() {
    let output = run(&["sse", "--reasoning", "thoughts"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("reasoning_content"), "{}", stderr(&output));
    let output = run(&["ndjson", "no/such/file"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no/such/file"), "{}", stderr(&output));
}

#[test]
fn start_and_routing_reach_the_parser() {
    let output = run(&["sse", "--start", "analysis-body"], &event("Hm.<|end|>", Some("stop")));
    assert!(stdout(&output).contains("\"reasoning_content\":\"Hm.\""), "{}", stdout(&output));
    let python = event("<|channel|>analysis to=python<|message|>{}<|call|>", Some("stop"));
    assert!(stdout(&run(&["sse"], &python)).contains("\"name\":\"python\""));
    let output = run(&["sse", "--routing", "commentary-functions"], &python);
    assert!(stdout(&output).contains("\"reasoning_content\":\"{}\""), "{}", stdout(&output));
}

#[test]
fn help_says_what_goes_where() {
    for (command, fields) in
        [("sse", ["delta.tool_calls", "--reasoning"]), ("ndjson", ["message.thinking", "--report"])]
    {
        let output = run(&[command, "--help"], "");
        for field in fields {
            assert!(stdout(&output).contains(field), "{}", stdout(&output));
        }
        assert_eq!(output.status.code(), Some(0));
    }
}
