//! The localised archive, and our library beside another Rust static library in one program.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::library::{NATIVE, release, target_folder, with_panic_hook};
use crate::symbols::{declared, defined};
use crate::tool::{ffi, output, report, run, scratch, tool};

fn localised(library: &Path, name: &str) -> PathBuf {
    let archive = scratch(name).join("libharmony_stream.a");
    run(tool(ffi().join("localise.sh"), "").arg(library).arg(&archive));
    archive
}

/// With `harmony_test_panic_next`.
fn ours_localised() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| localised(with_panic_hook(), "localised-hook"))
}

/// Builds a crate of tests/link; its archive.
fn build(name: &str, arguments: &str) -> PathBuf {
    let target = target_folder().join(format!("{name}-{arguments}").replace([' ', '=', '"'], "_"));
    let full = std::env::var_os("HARMONY_FULL_TESTS").is_some_and(|value| value == "1");
    let features = if full && name == "neighbour" { "--features llguidance" } else { "" };
    run(tool(env!("CARGO"), &format!("build --quiet --locked --release {features} {arguments}"))
        .current_dir(ffi().join("tests/link").join(name))
        .arg("--target-dir")
        .arg(&target));
    target.join("release").join(format!("lib{name}.a"))
}

fn neighbour() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| build("neighbour", ""))
}

/// Links the test program with these, in this order, and runs it.
fn runs(name: &str, flags: &str, libraries: &[&Path]) {
    let program = scratch(name).join("program");
    // A static program has the unwinder from gcc's own archive.
    let native = NATIVE.iter().filter(|library| !(flags.contains("-static") && **library == "-lgcc_s"));
    run(tool(
        "gcc",
        &format!("{flags} -std=c99 -Wall -Wextra -pedantic -Werror -I ../include tests/c/neighbours.c"),
    )
    .current_dir(ffi())
    .args(libraries)
    .args(native)
    .arg("-o")
    .arg(&program));
    let mut command = tool(program, "");
    let output = output(&mut command, b"");
    assert!(output.status.success() && output.stdout == b"ok\n", "{}", report(&command, &output));
}

#[test]
fn the_localised_archive_has_the_header_only() {
    let archive = localised(&release().join("libharmony_stream_ffi.a"), "localised");
    assert_eq!(defined(&archive, "--symbols"), declared());
}

#[test]
fn two_plain_archives_of_one_rustc() {
    runs("plain", "", &[with_panic_hook(), neighbour()]);
    runs("plain-other-order", "", &[neighbour(), with_panic_hook()]);
}

#[test]
fn the_localised_archive_and_a_plain_one() {
    runs("localised-plain", "", &[ours_localised(), neighbour()]);
    runs("localised-plain-other-order", "", &[neighbour(), ours_localised()]);
    runs("localised-static-pie", "-static-pie", &[ours_localised(), neighbour()]);
}

/// Two plain archives of which one was built with LTO do not link; this does.
#[test]
fn the_localised_archive_and_one_with_lto() {
    let neighbour = build("neighbour", "--config profile.release.lto=\"fat\"");
    runs("localised-lto", "", &[ours_localised(), &neighbour]);
}

#[test]
fn one_umbrella_crate_of_both() {
    runs("umbrella", "", &[&build("umbrella", "")]);
}

#[test]
fn our_shared_library_and_a_plain_archive() {
    let shared = with_panic_hook().with_extension("so");
    let folder = shared.parent().expect("a folder").display().to_string();
    let version = scratch("shared-hook");
    // The program looks for it under its soname.
    std::fs::copy(&shared, version.join(crate::library::soname())).expect("the shared library");
    runs("shared-plain", &format!("-Wl,-rpath,{} -L {folder}", version.display()), &[&shared, neighbour()]);
}
