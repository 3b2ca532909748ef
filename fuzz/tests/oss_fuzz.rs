//! Runs OSS-Fuzz's build.sh here, with OUT, SRC and WORK as it sets them, and each target that comes out on its
//! corpus.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oss-fuzz").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a temporary folder");
    path
}

#[test]
fn build_script_makes_every_target() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (out, src, work) = (folder("out"), folder("src"), folder("work"));
    symlink(here.parent().expect("the repository"), src.join("harmony-stream")).expect("a link");
    run(Command::new("bash")
        .arg(here.join("oss-fuzz/build.sh"))
        .env("OUT", &out)
        .env("SRC", &src)
        .env("WORK", &work)
        // OSS-Fuzz has a nightly toolchain; this lets a stable one use the sanitizer.
        .env("RUSTC_BOOTSTRAP", "1"));
    for (target, _) in harmony_stream_fuzz::TARGETS {
        for name in [format!("{target}.dict"), format!("{target}.options")] {
            assert!(out.join(&name).is_file(), "{name} is missing");
        }
        let corpus = work.join("corpus").join(target);
        fs::create_dir_all(&corpus).expect("a temporary folder");
        let seeds = out.join(format!("{target}_seed_corpus.zip"));
        run(Command::new("unzip").arg("-qjo").arg(seeds).arg("-d").arg(&corpus));
        let text = run(Command::new(out.join(target)).arg("-runs=0").arg(corpus).current_dir(&work));
        assert!(text.contains("INITED"), "{target} loads its corpus: {text}");
    }
}

#[test]
fn every_target_has_a_property() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources: Vec<String> = fs::read_dir(here.join("fuzz_targets"))
        .expect("the targets are there")
        .map(|entry| {
            entry.expect("it can be listed").path().file_stem().expect("a name").to_string_lossy().into()
        })
        .collect();
    sources.sort();
    let mut targets: Vec<String> = harmony_stream_fuzz::TARGETS.map(|(name, _)| name.to_owned()).into();
    targets.sort();
    assert_eq!(sources, targets);
}
