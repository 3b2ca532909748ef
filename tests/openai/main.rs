//! The filters for OpenAI-compatible servers and Ollama, against streams as servers write them.

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/timing.rs"]
mod timing;

mod assembled;
mod choices;
mod ends;
mod equality;
mod identity;
mod limits;
mod linear;
mod ollama;
mod randomly;
mod rewriting;
mod upstream;
mod verbatim;
mod whole;
