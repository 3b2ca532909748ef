//! Finds protocol text that leaked into visible output, thinking or tool arguments.
mod cosignals;
mod detect;
mod detector;
mod fences;
mod marker;
mod scan;
mod signal;
mod window;

pub use detect::{DetectOptions, detect};
pub use detector::Detector;
pub use signal::{Class, Classes, Detection, Signal, Surface, label};
