//! Gives the shared library its name. Only the linker can, and plain cargo does not.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let version = set("CARGO_PKG_VERSION");
    // The whole version as long as it begins with 0: until then any release may change the ABI.
    match set("CARGO_CFG_TARGET_OS").as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libharmony_stream.so.{version}");
        }
        "macos" => {
            println!(
                "cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libharmony_stream.{version}.dylib"
            );
        }
        _ => {}
    }
}
