//! Other programs: compilers, valgrind, cmake.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The crate's folder, `ffi`.
pub(crate) fn ffi() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what this test makes; empty at first.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

/// A program with its arguments; without backtraces, which cost valgrind seconds.
pub(crate) fn tool(program: impl AsRef<std::ffi::OsStr>, arguments: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments.split_whitespace()).env("RUST_BACKTRACE", "0");
    command
}

/// Runs it to success; what it printed.
pub(crate) fn run(command: &mut Command) -> String {
    let output = output(command, b"");
    assert!(output.status.success(), "{}", report(command, &output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs it with this on its standard input.
pub(crate) fn output(command: &mut Command, input: &[u8]) -> Output {
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.unwrap_or_else(|error| {
        panic!(
            "{:?} does not start: {error}; see tests/native/main.rs for what to install",
            command.get_program()
        )
    });
    let mut stdin = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // Who does not read to the end breaks the pipe, and that is no failure of its own.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
    })
}

/// All there is to know about a failure.
pub(crate) fn report(command: &Command, output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{command:?}\n{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr))
}
