//! The functions of both, in one archive with one standard library.

pub use harmony_stream_ffi::*;
pub use neighbour::*;
