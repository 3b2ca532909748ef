//! The libraries export what the header declares, and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::library::{release, shared, soname};
use crate::tool::{ffi, run, tool};

/// Functions that the header declares.
pub(crate) fn declared() -> BTreeSet<String> {
    let header = fs::read_to_string(ffi().join("../include/harmony_stream.h")).expect("the header");
    let declarations = header.split("\nHARMONY_").skip(1).filter(|text| text.contains("API"));
    let functions: BTreeSet<String> = declarations
        .map(|text| {
            text[..text.find('(').expect("a function")].rsplit([' ', '*', '\n']).next().unwrap().to_owned()
        })
        .collect();
    assert!(functions.len() > 60 && functions.contains("harmony_stream_push"), "{functions:?}");
    functions
}

/// Defined symbols of a file that other files may refer to; `table` is `--symbols` or `--dyn-syms`.
pub(crate) fn defined(file: &Path, table: &str) -> BTreeSet<String> {
    // Not nm: it hands the bitcode in Rust's archives to a plugin, which may give up on it.
    let listed = run(tool("readelf", &format!("--wide {table}")).arg(file));
    let rows = listed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let outside = |row: &Vec<&str>| {
        row.len() == 8 && matches!(row[4], "GLOBAL" | "WEAK") && row[5] != "HIDDEN" && row[6] != "UND"
    };
    rows.filter(outside).map(|row| row[7].to_owned()).collect()
}

#[test]
fn the_shared_library_exports_the_header_only() {
    assert_eq!(defined(&shared().join(soname()), "--dyn-syms"), declared());
}

#[test]
fn the_static_library_has_all_of_the_header() {
    let file = release().join("libharmony_stream_ffi.a");
    let ours = defined(&file, "--symbols").into_iter().filter(|name| name.starts_with("harmony_"));
    assert_eq!(ours.collect::<BTreeSet<_>>(), declared());
}

#[test]
fn the_shared_library_has_its_soname() {
    let dynamic = run(tool("readelf", "--dynamic").arg(shared().join(soname())));
    assert!(dynamic.contains(&format!("[{}]", soname())), "{dynamic}");
}
