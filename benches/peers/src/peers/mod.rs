//! The contestants that are written in Rust, a file each.

use std::io;

use harmony_stream::{Options, Policy};

use crate::serve::serve;

#[cfg(feature = "dynamo")]
mod dynamo;
mod limits;
#[cfg(feature = "openai")]
mod openai;
mod ours;
mod reparse;

/// Serves the contestant of this name.
pub(crate) fn run(name: &str) -> io::Result<()> {
    let recover = Options::default().policy(Policy::Recover);
    match name {
        "ours" => serve(&ours::Streaming(Options::default())),
        "ours-recover" => serve(&ours::Streaming(recover)),
        "ours-whole" => serve(&ours::Whole(Options::default())),
        "ours-whole-recover" => serve(&ours::Whole(recover)),
        "reparse" => serve(&reparse::Reparse),
        "memcpy" => serve(&limits::Memcpy),
        "memmem" => serve(&limits::Memmem),
        "simdutf8" => serve(&limits::Utf8),
        "serde_json" => serve(&limits::Json),
        #[cfg(feature = "openai")]
        "openai" => serve(&openai::Streaming::new()?),
        #[cfg(feature = "openai")]
        "openai-whole" => serve(&openai::Whole::new()?),
        #[cfg(feature = "dynamo")]
        "dynamo" => serve(&dynamo::Streaming::new()?),
        #[cfg(feature = "dynamo")]
        "dynamo-whole" => serve(&dynamo::Whole::new()?),
        _ => Err(io::Error::other(format!("no contestant is named {name}"))),
    }
}
