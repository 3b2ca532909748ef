//! The load program, with fewer parsers and less text than by default.

use std::process::Command;

#[test]
fn load_is_borne() {
    let output = Command::new(env!("CARGO"))
        .args([
            "run",
            "--quiet",
            "--release",
            "--no-default-features",
            "--example",
            "load",
            "--",
            "2000",
            "64",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{out}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(out.lines().count(), 3, "{out}");
}
