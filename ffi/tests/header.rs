//! include/harmony_stream.h is what the sources say. `UPDATE_HEADER=1 cargo test -p harmony-stream-ffi --test header`
//! writes it.

use std::fs;
use std::path::{Path, PathBuf};

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header_file() -> PathBuf {
    crate_folder().join("../include/harmony_stream.h")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What cbindgen makes of one source file. A file alone, so that the header has its sections.
fn declarations(name: &str) -> String {
    let config = cbindgen::Config::from_file(crate_folder().join("header/cbindgen.toml")).unwrap();
    let source = crate_folder().join("src").join(format!("{name}.rs"));
    let mut text = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(source)
        .generate()
        .unwrap_or_else(|error| panic!("cbindgen, {name}.rs: {error}"))
        .write(&mut text);
    String::from_utf8(text).unwrap()
}

/// Comments that take no more room than they need.
fn with_slim_comments(text: &str) -> String {
    let mut slim = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "/*" {
            slim += &format!("{}\n", line.trim_end());
            continue;
        }
        let indent = &line[..line.len() - 2];
        let comment: Vec<&str> = lines.by_ref().map(str::trim).take_while(|&line| line != "*/").collect();
        slim +=
            &format!("{indent}/* {} */\n", comment.join(&format!("\n{indent} * ")).replace("* \n", "*\n"));
    }
    slim
}

/// What can't be said in cbindgen.toml.
fn tidy(declaration: &str) -> String {
    // C++ wants its attribute first; `#define A -1` goes wrong in `x A`.
    let declaration = declaration
        .replace("HARMONY_API\nHARMONY_NODISCARD\n", "HARMONY_NODISCARD HARMONY_API\n")
        .replace("HARMONY_API HARMONY_NODISCARD ", "HARMONY_NODISCARD HARMONY_API ");
    let declaration = match declaration.contains("typedef") {
        true => declaration,
        false => declaration.replace("struct harmony_", "harmony_"),
    };
    match declaration.rsplit_once(" -") {
        Some((define, number)) if define.contains("#define") && number.parse::<u32>().is_ok() => {
            format!("{define} (-{number})")
        }
        _ => declaration,
    }
}

/// The constants of a file that begin with `prefix`, or, if that is `harmony_`, all that is no constant.
fn section(name: &str, prefix: Option<&str>) -> String {
    let text = with_slim_comments(declarations(name).trim());
    let wanted = |declaration: &&str| match (prefix, declaration.split_once("#define ")) {
        (None, _) | (Some("harmony_"), None) => true,
        (Some(prefix), Some((_, constant))) => constant.starts_with(prefix),
        (Some(_), None) => false,
    };
    let mut section = String::new();
    for declaration in text.trim().split("\n\n").filter(wanted).map(tidy) {
        section += &declaration;
        // Constants of one kind are a list.
        section += if declaration.contains("#define") { "\n" } else { "\n\n" };
    }
    section.trim_end().to_owned() + "\n\n"
}

fn generated() -> String {
    let mut header = String::new();
    for line in read(&crate_folder().join("header/harmony_stream.h.in")).lines() {
        match line.strip_prefix("@include ").and_then(|rest| rest.strip_suffix('@')) {
            Some(what) => {
                let (name, prefix) =
                    what.split_once(' ').map_or((what, None), |(name, prefix)| (name, Some(prefix)));
                header += &section(name, prefix);
            }
            None => header += &format!("{line}\n"),
        }
    }
    header
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"))
}

#[test]
fn the_committed_header_is_the_generated_one() {
    let generated = generated();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(header_file(), &generated).unwrap();
    }
    let committed = read(&header_file());
    if let Some((line, (is, should))) =
        committed.lines().zip(generated.lines()).enumerate().find(|(_, (is, should))| is != should)
    {
        panic!(
            "include/harmony_stream.h is not up to date (UPDATE_HEADER=1 writes it); line {}:\n  is     {is}\n  should {should}",
            line + 1
        );
    }
    assert_eq!(committed.len(), generated.len(), "include/harmony_stream.h is not up to date");
}

#[test]
fn nothing_of_rust_leaks_into_the_header() {
    for (place, line) in generated().lines().enumerate() {
        for stray in ["# Safety", "[`", "::", "@include", "Option<", "c_char"] {
            assert!(!line.contains(stray), "line {}: {line}", place + 1);
        }
    }
}

#[test]
fn the_version_is_the_core_s() {
    let core = read(&crate_folder().join("../Cargo.toml"));
    let package = &core[core.find("[package]").expect("a package")..];
    let line = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(package.lines().take_while(|l| !l.is_empty()).any(|l| l == line), "Cargo.toml has not {line}");
}
