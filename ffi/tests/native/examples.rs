//! The examples print what the Rust core says.

use std::fs;
use std::path::{Path, PathBuf};

use harmony::{Events, Options, Parser};

use crate::library::{NATIVE, with_panic_hook};
use crate::tool::{ffi, output, report, run, scratch, tool};

/// The lines of `harmony-stream --format events`.
fn expected(text: &[u8], options: Options, chunk: usize) -> Vec<u8> {
    let mut lines = Vec::new();
    let mut add = |events: Events<'_, [u8]>| {
        for event in events {
            let event = event.map(|text| String::from_utf8_lossy(text));
            serde_json::to_writer(&mut lines, &event).expect("JSON");
            lines.push(b'\n');
        }
    };
    let mut parser = Parser::<[u8]>::new(options);
    text.chunks(chunk).for_each(|piece| add(parser.push(piece).expect("an open stream")));
    add(parser.finish().expect("an open stream"));
    lines
}

fn compile(source: &str, compiler: &str, flags: &str) -> PathBuf {
    let program = scratch(&format!("example-{source}")).join("stream");
    run(tool(compiler, &format!("{flags} -Wall -Wextra -pedantic -Werror -I ../include"))
        .current_dir(ffi())
        .arg(Path::new("examples").join(source))
        .arg(with_panic_hook())
        .args(NATIVE)
        .arg("-o")
        .arg(&program));
    program
}

/// The transcripts, and a few texts that are no UTF-8 or need every kind of escape.
fn texts() -> Vec<(String, Vec<u8>)> {
    let folder = ffi().join("../tests/transcripts");
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut texts: Vec<(String, Vec<u8>)> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| (path.display().to_string(), fs::read(&path).expect("a transcript")))
        .collect();
    assert!(texts.len() >= 15, "only {} transcripts", texts.len());
    let bytes: Vec<u8> = (0..=255).chain([0xE2, 0x82, 0xF0, 0x9F, 0x98, 0xED, 0xA0, 0x80, 0xC3]).collect();
    texts.push(("every byte".into(), bytes));
    texts.push(("nothing".into(), Vec::new()));
    texts
}

fn prints_the_events(program: &Path) {
    for (name, text) in texts() {
        for chunk in [1, 7, 65536] {
            for (flags, options) in [("", Options::default()), ("--lenient", Options::lenient())] {
                let mut command = tool(program, &format!("{flags} --chunk {chunk}"));
                let printed = output(&mut command, &text);
                assert!(printed.status.success(), "{name}: {}", report(&command, &printed));
                let right = printed.stdout == expected(&text, options, chunk);
                assert!(right, "{name}, chunks of {chunk} {flags}: other events");
            }
        }
    }
}

#[test]
fn stream_c() {
    prints_the_events(&compile("stream.c", "gcc", "-std=c99"));
}

#[test]
fn stream_cpp() {
    prints_the_events(&compile("stream.cpp", "g++", "-std=c++17 -fno-exceptions -fno-rtti"));
}

/// What it does is tested by real clients: tests/clients.
#[test]
fn server_cpp_compiles() {
    let object = scratch("example-server.cpp").join("server.o");
    let flags = run(&mut tool("pkg-config", "--cflags cpp-httplib"));
    run(tool("g++", &format!("-std=c++17 -Wall -Wextra -pedantic -Werror -I ../include {flags} -c"))
        .current_dir(ffi())
        .arg("examples/server.cpp")
        .arg("-o")
        .arg(&object));
}
