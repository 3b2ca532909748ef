//! The library, built once for all tests.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::tool::{ffi, run, scratch, tool};

/// What rustc says a program must link beside the static library (`--print native-static-libs`).
pub(crate) const NATIVE: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// With debug assertions, and with `harmony_test_panic_next`.
pub(crate) fn with_panic_hook() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| build("--features panic-hook", "debug").join("libharmony_stream_ffi.a"))
}

/// As it is shipped: the folder with the static and the shared library.
pub(crate) fn release() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| build("--release", "release"))
}

fn build(arguments: &str, profile: &str) -> PathBuf {
    // One folder for both, so that neither is in the way of the cargo that runs these tests.
    let target = target_folder();
    let arguments = format!("build --quiet --locked --package harmony-stream-ffi --lib {arguments}");
    run(tool(env!("CARGO"), &arguments).arg("--target-dir").arg(&target).current_dir(ffi()));
    target.join(profile)
}

/// Where the nested cargo builds; kept between runs.
pub(crate) fn target_folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cargo")
}

/// The shared library under its own name, in a folder of its own, as it is installed.
pub(crate) fn shared() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = scratch("shared");
        let file = folder.join(soname());
        std::fs::copy(release().join("libharmony_stream_ffi.so"), file).expect("the shared library");
        std::os::unix::fs::symlink(soname(), folder.join("libharmony_stream.so")).expect("a link");
        folder
    })
}

/// Its full version as long as that begins with 0, then its ABI.
pub(crate) fn soname() -> String {
    format!("libharmony_stream.so.{}", env!("CARGO_PKG_VERSION"))
}
