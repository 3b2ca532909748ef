//! The turns in `tests/transcripts`; see the README there.

use std::fs;
use std::path::Path;

use super::vectors::Row;

pub(crate) struct Transcript {
    pub(crate) name: String,
    pub(crate) text: String,
    /// For the default options.
    pub(crate) expected: Row,
    /// For the lenient ones; the same if absent.
    pub(crate) lenient: Option<Row>,
}

pub(crate) fn transcripts() -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("transcripts").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(paths.len() >= 15, "only {} transcripts", paths.len());
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Transcript {
    let text = |path: &Path| fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let json = path.with_extension("json");
    let mut expected: serde_json::Value =
        serde_json::from_str(&text(&json)).unwrap_or_else(|e| panic!("{}: {e}", json.display()));
    let lenient = expected.as_object_mut().expect("an object").remove("lenient");
    Transcript {
        name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
        text: text(path),
        expected: Row::of(expected),
        lenient: lenient.map(Row::of),
    }
}
