//! Every input that once broke a property, and a few by hand, through all properties.

use std::fs;

use harmony_stream_fuzz::TARGETS;

#[test]
fn regressions_hold() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/regressions");
    let mut files = 0;
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            continue;
        }
        let data = fs::read(&path).expect("it can be read");
        for (name, check) in TARGETS {
            println!("{name} {}", path.display());
            check(&data);
        }
        files += 1;
    }
    assert!(files > 0, "there are regressions");
}
