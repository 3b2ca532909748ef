//! Finds protocol text that leaked into visible output, thinking or tool arguments.
//!
//! Hosted GPT-5 models sometimes write the shadow of a routing header, `to=functions.NAME` without its brackets, into
//! what the user sees or a tool runs, often with glitch words and runs of a foreign script around it. That marker alone
//! proves nothing: documentation and bug reports quote it, and so does this page. So a marker counts only in company.
//!
//! | class | trips on |
//! | --- | --- |
//! | H | a literal control token such as `<\|end\|>`, alone |
//! | M | the marker, `to=functions.NAME`; only with one of the following |
//! | C | a channel or role word directly before a marker |
//! | G | a glitch word next to it |
//! | S | a run of a foreign script next to it, in text that is otherwise ASCII |
//! | B | a cascade: a marker, `code`, and another marker |
//! | R | a made-up tool result behind it |
//! | T | it lies behind the end of the tool's arguments |
//!
//! Nothing inside a code fence counts. [`detect()`] searches a finished text, [`Detector`] one that streams, and
//! [`detect_in_message`] a whole message. What to do then, with an example: `docs/leaks.md` in the repository.
//!
//! ```
//! use harmony_stream::leak::{detect, DetectOptions, Surface};
//! let text = "Done.\nanalysis to=functions.edit code 天天中彩票";
//! let detection = detect(text, Surface::Text, &DetectOptions::new()).unwrap();
//! assert_eq!(detection.signals[0].text(text), "to=functions.edit");
//! ```

mod audit;
mod cosignals;
mod detect;
mod detector;
mod fences;
mod marker;
mod message;
mod recover;
mod scan;
mod signal;
mod window;

pub use audit::{Action, AuditEvent, is_mitigation_target, preview, sha8, utf16_len};
pub use detect::{DetectOptions, detect};
pub use detector::Detector;
pub use message::{Block, RecoveredCall, ToolCall, detect_in_message, recover_message, removed_from_message};
pub use recover::{CONTINUATION, Recovered, Registry, Tool, recover, removed};
pub use signal::{Class, Classes, Detection, Signal, Surface, label};
