//! Which library this is.

use std::ffi::{CStr, c_char};

use crate::guard;

/// The ABI that this header describes. It is raised only when an existing function or struct changes.
pub const HARMONY_ABI: u32 = 1;

/// The version of the library as a static string, "1.2.3".
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    guard::guard(c"".as_ptr(), || {
        CStr::from_bytes_with_nul(VERSION.as_bytes()).map_or(c"", |version| version).as_ptr()
    })
}

/// The version of the library as a number, in the form of HARMONY_VERSION_NUMBER.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_version_number() -> u32 {
    guard::guard(0, || {
        let part = |text: &str| text.parse::<u32>().unwrap_or(0);
        let parts = [
            env!("CARGO_PKG_VERSION_MAJOR"),
            env!("CARGO_PKG_VERSION_MINOR"),
            env!("CARGO_PKG_VERSION_PATCH"),
        ];
        parts.into_iter().fold(0, |number, text| number << 8 | part(text))
    })
}

/// The ABI of the library. It should equal HARMONY_ABI; a binding checks that once, when it is loaded.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn harmony_abi() -> u32 {
    guard::guard(0, || HARMONY_ABI)
}

/// Does nothing. Refer to it, and a library of another ABI fails to link instead of misbehaving.
#[unsafe(no_mangle)]
pub extern "C" fn harmony_abi_1() {
    guard::guard((), || ());
}
