//! The subcommands `leak`, `pick` and `schema`, and the limit of `parse`, from outside.

#[path = "support/program.rs"]
mod program;

use std::io::Write;
use std::path::Path;
use std::process::Output;

use harmony_stream::structured::{QUERIES_SCHEMA, SUGGESTIONS_SCHEMA, TITLE_SCHEMA};
use program::program;
use serde_json::{Value, json};

/// Runs to the end with `input` on standard input.
fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = program(arguments).spawn().expect("the program starts");
    // Inputs here fit into a pipe; who refuses its arguments does not read them.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_ref());
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn rows(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_else(|| panic!("no {field} in {row}"))
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// The result of a row, and the exit status that goes with it.
fn check_leak(row: &Value) {
    let surface = match text(row, "surface") {
        "assistant_text" => "text",
        "assistant_thinking" => "thinking",
        "tool_arg" => "tool-arg",
        other => panic!("no surface {other}"),
    };
    let end = row["parsed_end"].as_u64().map(|end| end.to_string());
    let mut arguments = vec!["leak", "--json", "--surface", surface];
    arguments.extend(end.iter().flat_map(|end| ["--parsed-end", end]));
    let output = run(&arguments, text(row, "text"));
    if surface == "tool-arg" && end.is_none() {
        // Nothing can be found there: the program says so and does not look.
        assert_eq!((&row["detection"], output.status.code()), (&Value::Null, Some(2)), "{}", row["id"]);
        return;
    }
    assert_eq!(
        json_of(&output),
        json!({ "detection": row["detection"], "label": row["label"] }),
        "{}",
        row["id"]
    );
    let status = i32::from(!row["detection"].is_null());
    assert_eq!(output.status.code(), Some(status), "{}", row["id"]);
}

#[test]
fn leak_json_is_what_the_vectors_have() {
    let cases = rows("leak-cases.jsonl");
    let random = rows("leak-random.jsonl");
    cases.iter().chain(random.iter().step_by(40)).for_each(check_leak);
}

fn check_pick(row: &Value) {
    let mut arguments = vec!["pick", text(row, "picker"), "--json"];
    if row["constrained"] == true {
        arguments.push("--constrained");
    }
    let output = run(&arguments, text(row, "raw"));
    let (other, status) = if row["ok"] == true { ("value", 0) } else { ("reason", 1) };
    assert_eq!(json_of(&output), json!({ "ok": row["ok"], other: row[other] }), "{}", row["id"]);
    assert_eq!(output.status.code(), Some(status), "{}", row["id"]);
}

#[test]
fn pick_json_is_what_the_vectors_have() {
    let cases = rows("structured-cases.jsonl");
    let random = rows("structured-random.jsonl");
    cases.iter().chain(random.iter().step_by(20)).for_each(check_pick);
}

#[test]
fn leak_shows_line_column_classes_and_the_text_around() {
    let input = "Ünïcödé 日本\r\nhé👩‍👧 analysis to=functions.edit code\n<|end|>\x1b[31m\ta";
    let output = run(&["leak"], input);
    let expected = "\
line 2, column 16: routing marker, channel word before a marker (M+C)
    Ünïcödé 日本\\r\\nhé👩‍👧 analysis to=functions.edit code\\n<|end|>\\u{1b}[31m\\ta
line 3, column 1: control token (H)
    …\\r\\nhé👩‍👧 analysis to=functions.edit code\\n<|end|>\\u{1b}[31m\\ta
2 signals: M+C,H
";
    // An emoji of three characters counts as three, as in most editors' go-to-column.
    assert_eq!("hé👩‍👧 analysis ".chars().count(), 15);
    assert_eq!(stdout(&output), expected);
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(1));
}

/// Every place, counted a second time from the offset.
#[test]
fn places_are_those_of_the_offsets() {
    let input = "é<|end|>\n\n日<|call|><|end|>\n\u{10ffff}\u{2028}x<|start|>\n".repeat(3);
    let signals = json_of(&run(&["leak", "--json"], &input));
    let place = |signal: &Value| {
        let before = &input[..signal["start"].as_u64().expect("an offset") as usize];
        let line = before.rsplit('\n').next().expect("a line");
        format!("line {}, column {}", before.matches('\n').count() + 1, line.chars().count() + 1)
    };
    let expected: Vec<String> =
        signals["detection"]["signals"].as_array().expect("signals").iter().map(place).collect();
    let output = run(&["leak"], &input);
    let shown: Vec<&str> =
        stdout(&output).lines().filter_map(|line| line.split_once(": control").map(|(at, _)| at)).collect();
    assert_eq!(shown, expected);
    assert_eq!(shown.len(), 12);
    assert_eq!(&shown[..3], ["line 1, column 2", "line 3, column 2", "line 3, column 10"]);
}

#[test]
fn far_text_is_cut_on_both_sides() {
    let input = format!("{}<|end|>{}", "日".repeat(50), "本".repeat(50));
    let output = run(&["leak"], &input);
    let expected = format!("    …{}<|end|>{}…\n", "日".repeat(40), "本".repeat(40));
    assert!(stdout(&output).contains(&expected), "{}", stdout(&output));
}

#[test]
fn clean_text_and_tool_arguments() {
    let clean = run(&["leak", "-"], "Write to=functions.edit to route a call.");
    assert_eq!((stdout(&clean), clean.status.code()), ("clean\n", Some(0)));
    let empty = run(&["leak", "--json"], "");
    assert_eq!((stdout(&empty), empty.status.code()), ("{\"detection\":null,\"label\":\"none\"}\n", Some(0)));
    let known = run(
        &["leak", "--surface", "tool-arg", "--parsed-end", "1"],
        "x\nanalysis to=functions.edit code 天天中彩票",
    );
    assert!(stdout(&known).contains("behind the end of the arguments"), "{}", stdout(&known));
    assert_eq!(known.status.code(), Some(1));
}

#[test]
fn bytes_that_are_no_utf8_are_searched_too() {
    let output = run(&["leak"], b"a\xff\xe3\x81 <|end|>\xf0\x9f");
    assert!(stdout(&output).starts_with("line 1, column 5: control token (H)\n"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
    let value = run(&["pick", "title", "--json"], b"\xff{\"title\":\"a\xffb\"}");
    assert_eq!(json_of(&value), json!({ "ok": true, "value": "a\u{fffd}b" }));
}

#[test]
fn pick_prints_values_one_a_line() {
    let title = run(&["pick", "title"], "Sure!\n```json\n{\"title\": \" Trip to Rome \"}\n```");
    assert_eq!((stdout(&title), title.status.code()), ("Trip to Rome\n", Some(0)));
    let chips = run(&["pick", "suggestions", "-"], "{\"suggestions\":[\"a\",\"b\",\"c\",\"d\"]}");
    assert_eq!(stdout(&chips), "a\nb\nc\n");
    let queries = run(&["pick", "queries", "--constrained"], "{\"queries\":[\"é\",\"\"]}");
    assert_eq!((stdout(&queries), stderr(&queries)), ("é\n", ""));
}

#[test]
fn pick_says_why_there_is_no_value() {
    let cut = run(&["pick", "title", "--constrained"], "{\"title\": \"Trip");
    assert_eq!((stdout(&cut), cut.status.code()), ("", Some(1)));
    assert!(stderr(&cut).contains("the answer was cut; do without it"), "{}", stderr(&cut));
    let prose = run(&["pick", "queries"], "Rome, I think.");
    assert_eq!((stdout(&prose), prose.status.code()), ("", Some(1)));
    assert!(stderr(&prose).contains("read the answer as prose"), "{}", stderr(&prose));
}

#[test]
fn schemas_are_printed_byte_for_byte() {
    for (name, schema) in
        [("title", TITLE_SCHEMA), ("suggestions", SUGGESTIONS_SCHEMA), ("queries", QUERIES_SCHEMA)]
    {
        let output = run(&["schema", name], "");
        assert_eq!(stdout(&output), format!("{schema}\n"));
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_text_is_as_long_as_the_limit_or_refused() {
    let text = "<|channel|>final<|message|>Noon.";
    let limit = |bytes: usize| run(&["--format", "json", "--max-bytes", &bytes.to_string()], text);
    assert_eq!(json_of(&limit(text.len()))["content"], "Noon.");
    assert_eq!(limit(text.len()).status.code(), Some(0));
    let refused = limit(text.len() - 1);
    assert_eq!((stdout(&refused), refused.status.code()), ("", Some(2)));
    assert_eq!(
        stderr(&refused),
        "harmony-stream: standard input has more than 31 bytes; raise --max-bytes, or leave it out\n"
    );
    // What came before is shown, however it was cut.
    for chunk in [&[][..], &["--chunk", "1"], &["--chunk", "29"], &["--chunk", "30"]] {
        let shown = run(&[&["--max-bytes", "30"], chunk].concat(), text);
        assert_eq!((stdout(&shown), shown.status.code()), ("[answer]\nNoo", Some(2)), "{chunk:?}");
    }
    assert_eq!(run(&["--max-bytes", "0"], "").status.code(), Some(1), "nothing is no message");
    assert_eq!(run(&["--max-bytes", "0"], "a").status.code(), Some(2));
}

#[test]
fn bad_use_says_what_to_do() {
    let cases: [(&[&str], &[&str]); 14] = [
        (&["leak", "no-such-answer.txt"], &["cannot read no-such-answer.txt: ", "check the path, or give -"]),
        (&["leak", env!("CARGO_MANIFEST_DIR")], &[env!("CARGO_MANIFEST_DIR"), "give a file in it"]),
        (&["pick", "title", "no-such-reply.txt"], &["cannot read no-such-reply.txt: ", "check the path"]),
        (&["leak", "--surface", "answer"], &["answer", "tool-arg"]),
        (&["leak", "--surface", "tool-arg"], &["--parsed-end <N>"]),
        (&["leak", "--parsed-end", "-1"], &["--parsed-end"]),
        (&["leak", "--parsed-end", "x"], &["'x'", "--parsed-end"]),
        (&["leak", "--json", "one.txt", "two.txt"], &["two.txt"]),
        (&["pick"], &["<WHAT>", "--help"]),
        (&["pick", "titel"], &["titel", "suggestions"]),
        (&["schema", "all"], &["all", "queries"]),
        (&["--max-bytes", "many"], &["many", "--max-bytes", "a number of bytes is needed"]),
        (&["--max-bytes", "-1"], &["-1", "--max-bytes", "a number of bytes is needed"]),
        (&["--lenient", "parse", "one.txt"], &["one FILE", "behind it"]),
    ];
    for (arguments, words) in cases {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        for word in words {
            assert!(stderr(&output).contains(word), "{arguments:?}: no {word:?} in {:?}", stderr(&output));
        }
    }
}

#[test]
fn a_file_is_read_like_standard_input() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli_leak_pick");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("answer.txt");
    std::fs::write(&file, "{\"title\":\"<|end|>\"}").expect("a file");
    let path = file.to_str().expect("UTF-8");
    assert_eq!(stdout(&run(&["pick", "title", path], "")), "<|end|>\n");
    assert_eq!(run(&["leak", path], "").status.code(), Some(1));
    let limit = run(&["--max-bytes", "3", path], "");
    assert!(stderr(&limit).contains("answer.txt has more than 3 bytes"), "{}", stderr(&limit));
}

#[test]
fn help_teaches() {
    for (command, words) in [
        ("leak", ["--surface", "Exit status:", "1  something did"]),
        ("pick", ["--constrained", "Exit status:", "1  there is none"]),
        ("schema", ["suggestions", "Exit status:", "pick title"]),
    ] {
        let help = run(&[command, "--help"], "");
        assert_eq!(help.status.code(), Some(0));
        for word in words {
            assert!(stdout(&help).contains(word), "{word} is not in {}", stdout(&help));
        }
    }
    for command in ["parse", "leak", "pick", "schema"] {
        assert!(stdout(&run(&["--help"], "")).contains(&format!("\n  {command}")), "{command}");
    }
}
