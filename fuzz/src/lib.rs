//! What the fuzz targets check, one property a module: `check` takes the bytes of a fuzzer's input and panics where
//! the property does not hold. The normal tests replay `regressions/` through the same functions.

pub mod chunks;
pub mod escape;
pub mod ffi;
pub mod filter;
pub mod input;
pub mod json;
pub mod leak;
pub mod linear;
pub mod naive;
pub mod oneshot;
pub mod pick;
pub mod prompt;
pub mod recover;
pub mod roundtrip;

/// The reference grammar a second time, which the tests have.
#[path = "../../tests/naive/mod.rs"]
mod grammar;
/// The event contract, the account of bytes, and what drives a parser.
#[path = "../../tests/support/mod.rs"]
mod support;
/// What tells linear work from quadratic.
#[path = "../../tests/support/timing.rs"]
mod timing;

/// Takes a fuzzer's input, and panics where the property does not hold.
pub type Check = fn(&[u8]);

/// Each property by the name of its target.
pub const TARGETS: [(&str, Check); 13] = [
    ("chunks", chunks::check),
    ("oneshot", oneshot::check),
    ("naive", naive::check),
    ("recover", recover::check),
    ("json", json::check),
    ("roundtrip", roundtrip::check),
    ("leak", leak::check),
    ("pick", pick::check),
    ("escape", escape::check),
    ("prompt", prompt::check),
    ("linear", linear::check),
    ("filter", filter::check),
    ("ffi", ffi::check),
];
