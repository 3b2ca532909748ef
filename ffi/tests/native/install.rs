//! The CMake package and pkg-config, installed and used; CMake's other two ways.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::library::{release, soname, target_folder};
use crate::tool::{ffi, run, scratch, tool};

/// Configures and builds a project; its build folder.
fn cmake(source: &Path, name: &str, variables: &[(&str, &Path)]) -> PathBuf {
    // What cargo has built already is not built again.
    release();
    let build = scratch(name);
    let mut configure = tool("cmake", "-DCMAKE_BUILD_TYPE=Release -S");
    configure.arg(source).arg("-B").arg(&build);
    for (variable, value) in variables {
        configure.arg(format!("-D{variable}={}", value.display()));
    }
    configure.arg(format!("-DHARMONY_STREAM_CARGO_TARGET_DIR={}", target_folder().display()));
    run(&mut configure);
    run(tool("cmake", "--build").arg(&build));
    build
}

/// Where it is installed.
fn installed() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = scratch("prefix");
        // As ffi/README.md says: the prefix is named when it is installed, not before.
        let build = cmake(ffi(), "cmake-build", &[("CMAKE_INSTALL_LIBDIR", Path::new("lib"))]);
        run(tool("cmake", "--install").arg(build).arg("--prefix").arg(&prefix));
        prefix
    })
}

fn says_noon(program: &mut std::process::Command) {
    assert_eq!(run(program), "Noon.\n");
}

#[test]
fn what_is_installed() {
    let library = soname();
    let files = [
        "include/harmony_stream.h",
        "include/harmony_stream.hpp",
        "lib/libharmony_stream.a",
        "lib/libharmony_stream.so",
        &format!("lib/{library}"),
        "lib/pkgconfig/harmony_stream.pc",
        "lib/pkgconfig/harmony_stream-static.pc",
        "lib/cmake/harmony_stream/harmony_stream-config.cmake",
        "lib/cmake/harmony_stream/harmony_stream-config-version.cmake",
    ];
    files.iter().for_each(|file| assert!(installed().join(file).exists(), "{file} is not installed"));
    let link = fs::read_link(installed().join("lib/libharmony_stream.so")).expect("a link");
    assert_eq!(link, Path::new(&library));
}

#[test]
fn find_package() {
    let source = ffi().join("tests/cmake/find-package");
    let build = cmake(&source, "find-package", &[("CMAKE_PREFIX_PATH", installed())]);
    for kind in ["static", "shared", "harmony_stream"] {
        says_noon(&mut tool(build.join(format!("with_{kind}")), ""));
    }
}

#[test]
fn add_subdirectory() {
    let source = ffi().join("tests/cmake/subdirectory");
    let build =
        cmake(&source, "subdirectory", &[("HARMONY_STREAM_SOURCE", ffi().parent().expect("the root"))]);
    for kind in ["static", "shared", "harmony_stream"] {
        says_noon(&mut tool(build.join(format!("with_{kind}")), ""));
    }
}

#[test]
fn external_project() {
    let source = ffi().join("tests/cmake/external-project");
    let build = cmake(&source, "external", &[("HARMONY_STREAM_SOURCE", ffi().parent().expect("the root"))]);
    says_noon(&mut tool(build.join("with_external"), ""));
}

#[test]
fn pkg_config() {
    let folder = scratch("pkg-config");
    let flags = |options: &str| {
        run(tool("pkg-config", options).env("PKG_CONFIG_PATH", installed().join("lib/pkgconfig")))
    };
    for package in ["harmony_stream", "harmony_stream-static"] {
        let version = flags(&format!("--modversion {package}"));
        assert_eq!(version.trim(), env!("CARGO_PKG_VERSION"));
    }
    let main = ffi().join("tests/cmake/main.cpp");
    let program = folder.join("shared");
    run(tool("g++", "-std=c++17")
        .arg(&main)
        .args(flags("--cflags --libs harmony_stream").split_whitespace())
        .arg("-o")
        .arg(&program));
    says_noon(tool(program, "").env("LD_LIBRARY_PATH", installed().join("lib")));

    let program = folder.join("static");
    let flags = flags("--cflags --libs harmony_stream-static");
    run(tool("g++", "-std=c++17").arg(&main).args(flags.split_whitespace()).arg("-o").arg(&program));
    says_noon(&mut tool(program, ""));
}
