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

/// Defined symbols of a file that other files may refer to.
pub(crate) fn defined(file: &Path, flags: &str) -> BTreeSet<String> {
    let listed = run(tool("nm", &format!("--defined-only --extern-only {flags}")).arg(file));
    let symbols = listed.lines().filter_map(|line| line.split_whitespace().nth(2));
    symbols.map(str::to_owned).collect()
}

#[test]
fn the_shared_library_exports_the_header_only() {
    assert_eq!(defined(&shared().join(soname()), "--dynamic"), declared());
}

#[test]
fn the_static_library_has_all_of_the_header() {
    let file = release().join("libharmony_stream_ffi.a");
    let ours = defined(&file, "").into_iter().filter(|name| name.starts_with("harmony_"));
    assert_eq!(ours.collect::<BTreeSet<_>>(), declared());
}

#[test]
fn the_shared_library_has_its_soname() {
    let dynamic = run(tool("readelf", "--dynamic").arg(shared().join(soname())));
    assert!(dynamic.contains(&format!("[{}]", soname())), "{dynamic}");
}
