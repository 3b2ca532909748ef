//! Runs every file of every corpus through its target's property: `cargo run --no-default-features --example replay --
//! FOLDER`, where `FOLDER/TARGET/` holds the files.

use std::path::Path;
use std::{env, fs};

use harmony_stream_fuzz::TARGETS;

fn main() {
    let folder = env::args().nth(1).expect("usage: replay FOLDER");
    for (target, check) in TARGETS {
        let Ok(files) = fs::read_dir(Path::new(&folder).join(target)) else { continue };
        let mut count = 0;
        for file in files {
            check(&fs::read(file.expect("it can be listed").path()).expect("it can be read"));
            count += 1;
        }
        println!("{target}: {count} files");
    }
}
