//! The C and C++ tests, with sanitizers and with valgrind.

use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::library::{NATIVE, with_panic_hook};
use crate::tool::{ffi, output, report, run, scratch, tool};

const STRICT: &str = "-g -Wall -Wextra -pedantic -Werror";
const SANITIZED: &str = "-fsanitize=address,undefined -fno-sanitize-recover=all";
const CPP: &str = "-fno-exceptions -fno-rtti";

/// Compiles one file of `tests/c` against the static library.
pub(crate) fn compile(source: &str, flags: &str, name: &str) -> PathBuf {
    let program = scratch(name).join("program");
    let compiler = if source.ends_with(".c") { "gcc" } else { "g++" };
    run(tool(compiler, &format!("{flags} {STRICT} -I ../include"))
        .current_dir(ffi())
        .arg(Path::new("tests/c").join(source))
        .arg(with_panic_hook())
        .args(NATIVE)
        .arg("-o")
        .arg(&program));
    program
}

fn sanitized(source: &str, flags: &str, name: &str) {
    let program = compile(source, &format!("{SANITIZED} {flags}"), name);
    let symbols = run(tool("nm", "").arg(&program));
    assert!(symbols.contains("__asan_init") && symbols.contains("__ubsan_"), "no sanitizers in {name}");
    check(&mut tool(program, ""));
}

/// No error, and no byte that is not freed.
fn under_valgrind(source: &str, flags: &str, name: &str) {
    let program = compile(source, flags, name);
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| drop(run(&mut tool("valgrind", "--version"))));
    check(
        tool("valgrind", "--quiet --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all")
            .arg("--error-exitcode=99")
            .arg(program),
    );
}

fn check(command: &mut std::process::Command) {
    let output = output(command, b"");
    assert!(output.status.success() && output.stdout == b"ok\n", "{}", report(command, &output));
}

#[test]
fn c_with_sanitizers() {
    sanitized("unit.c", "-std=c99", "unit-asan");
    sanitized("leak.c", "-std=c99", "leak-asan");
}

#[test]
fn c_under_valgrind() {
    under_valgrind("unit.c", "-std=c99", "unit-valgrind");
    under_valgrind("leak.c", "-std=c99", "leak-valgrind");
}

#[test]
fn cpp_with_sanitizers() {
    sanitized("unit.cpp", &format!("-std=c++17 {CPP}"), "cpp17-asan");
    sanitized("unit.cpp", &format!("-std=c++20 {CPP}"), "cpp20-asan");
}

#[test]
fn cpp_under_valgrind() {
    under_valgrind("unit.cpp", &format!("-std=c++17 {CPP}"), "cpp-valgrind");
}

#[test]
fn threads() {
    sanitized("threads.c", "-std=c11", "threads-asan");
    under_valgrind("threads.c", "-std=c11", "threads-valgrind");
}
