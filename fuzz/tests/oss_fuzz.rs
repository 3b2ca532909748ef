//! Runs OSS-Fuzz's build.sh here, with OUT, SRC and WORK as it sets them, and each target that comes out on its
//! corpus.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{text}");
    text
}

/// Folders of a test, as OSS-Fuzz has them.
struct Folders {
    out: PathBuf,
    src: PathBuf,
    work: PathBuf,
}

impl Folders {
    fn new(test: &str) -> Folders {
        let folder = |name: &str| {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oss-fuzz").join(test).join(name);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).expect("a temporary folder");
            path
        };
        let folders = Folders { out: folder("out"), src: folder("src"), work: folder("work") };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        symlink(here.parent().expect("the repository"), folders.src.join("harmony-stream")).expect("a link");
        folders
    }

    /// The build script, as the shell is given it that has no options of its own.
    fn build(&self) -> Command {
        let mut command = Command::new("bash");
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("oss-fuzz/build.sh"))
            .env("OUT", &self.out)
            .env("SRC", &self.src)
            .env("WORK", &self.work)
            // OSS-Fuzz has a nightly toolchain; this lets a stable one use the sanitizer.
            .env("RUSTC_BOOTSTRAP", "1")
            // Nor may cargo remember that it refused one.
            .env("CARGO_CACHE_RUSTC_INFO", "0");
        command
    }
}

/// A compiler that fails or builds nothing, though targets of an earlier build lie where it would put them.
#[test]
fn build_script_fails_where_nothing_is_built() {
    for (status, built) in [(101, true), (0, false)] {
        let folders = Folders::new("nothing");
        let (bin, target) = (folders.work.join("bin"), folders.work.join("target"));
        let seeds = folders.work.join("seeds");
        let triple = run(Command::new("rustc").args(["--print", "host-tuple"]));
        let release = target.join(triple.trim()).join("release");
        for path in [&bin, &release, &seeds] {
            fs::create_dir_all(path).expect("a temporary folder");
        }
        for (name, _) in harmony_stream_fuzz::TARGETS {
            fs::create_dir_all(seeds.join(name)).expect("a temporary folder");
            fs::write(seeds.join(name).join("seed"), "x").expect("a seed");
            if built {
                fs::write(release.join(name), "").expect("an earlier target");
            }
        }
        let metadata = format!("{{\"target_directory\":\"{}\"}}", target.display());
        let script =
            format!("#!/bin/sh\ncase $1 in fuzz) exit {status} ;; metadata) echo '{metadata}' ;; esac\n");
        fs::write(bin.join("cargo"), script).expect("a compiler");
        fs::set_permissions(bin.join("cargo"), fs::Permissions::from_mode(0o755)).expect("it can be run");
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
        let output = folders.build().env("PATH", path).output().expect("bash runs");
        assert!(!output.status.success(), "cargo ends with {status}: {output:?}");
    }
}

#[test]
fn build_script_makes_every_target() {
    let folders = Folders::new("all");
    let Folders { out, work, .. } = &folders;
    run(&mut folders.build());
    for (target, _) in harmony_stream_fuzz::TARGETS {
        for name in [format!("{target}.dict"), format!("{target}.options")] {
            assert!(out.join(&name).is_file(), "{name} is missing");
        }
        let corpus = work.join("corpus").join(target);
        fs::create_dir_all(&corpus).expect("a temporary folder");
        let seeds = out.join(format!("{target}_seed_corpus.zip"));
        run(Command::new("unzip").arg("-qjo").arg(seeds).arg("-d").arg(&corpus));
        let text = run(Command::new(out.join(target)).arg("-runs=0").arg(corpus).current_dir(work));
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
