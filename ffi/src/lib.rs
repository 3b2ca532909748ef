//! `libharmony_stream`: the C ABI of the `harmony-stream` crate.
//!
//! `include/harmony_stream.h` is generated from these files, one section a file, and is where the C side is
//! documented. All `unsafe` code of the project is here; the core forbids it.
//!
//! Every exported function runs in one guard: no panic leaves it, and no NULL gets past it.
#![allow(non_camel_case_types, reason = "the names are C's")]
#![allow(clippy::missing_safety_doc, reason = "said once for all functions, at the top of the header")]

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must come back as HARMONY_E_PANIC, which needs panic = \"unwind\"");

mod audit;
mod block;
mod control;
mod detector;
mod escape;
mod event;
mod guard;
mod leak;
mod message;
mod names;
mod numbers;
mod options;
mod pick;
mod pointer;
mod recover;
mod status;
mod stream;
mod summary;
mod texts;
mod version;

pub use audit::*;
pub use block::*;
pub use control::*;
pub use detector::*;
pub use escape::*;
pub use event::*;
#[cfg(feature = "panic-hook")]
pub use guard::harmony_test_panic_next;
pub use leak::*;
pub use message::*;
pub use names::*;
pub use numbers::*;
pub use options::*;
pub use pick::*;
pub use recover::*;
pub use status::*;
pub use stream::*;
pub use summary::*;
pub use texts::*;
pub use version::*;
