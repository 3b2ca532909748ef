//! How a stream is parsed, as C says it.

use harmony::{Input, Options, Policy, Routing, Start};

use crate::HARMONY_E_ARGUMENT;
use crate::status::Outcome;

/// A text that leaves the grammar comes back unchanged, as content, and the finish event says why. The default.
pub const HARMONY_POLICY_VERBATIM: u32 = 0;
/// It is repaired and reported; nothing that was emitted is ever taken back.
pub const HARMONY_POLICY_RECOVER: u32 = 1;

/// `to=functions.NAME` on the commentary channel. The default.
pub const HARMONY_ROUTING_COMMENTARY_FUNCTIONS: u32 = 0;
/// Any recipient (`to=python` too) on any channel but final.
pub const HARMONY_ROUTING_ANY_RECIPIENT: u32 = 1;

/// Before the first message, whatever it is. The default.
pub const HARMONY_START_DETECT: u32 = 0;
/// Behind `<|start|>assistant`, which the prompt ended with.
pub const HARMONY_START_ASSISTANT_HEADER: u32 = 1;
/// In the body of a reasoning message.
pub const HARMONY_START_ANALYSIS_BODY: u32 = 2;
/// In the body of an answer.
pub const HARMONY_START_FINAL_BODY: u32 = 3;

/// Spelled out in the text. The default.
pub const HARMONY_INPUT_TEXT: u32 = 0;
/// Through harmony_stream_push_control; text is never searched for them.
pub const HARMONY_INPUT_TOKENS: u32 = 1;

/// How to parse. Initialise it with HARMONY_OPTIONS_INIT or HARMONY_OPTIONS_LENIENT_INIT, then set what you want.
/// Fields are only ever added at the end; `size` tells the library which ones there are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct harmony_options {
    /// sizeof(harmony_options).
    pub size: usize,
    /// HARMONY_POLICY_.
    pub policy: u32,
    /// HARMONY_ROUTING_.
    pub routing: u32,
    /// HARMONY_START_.
    pub start: u32,
    /// HARMONY_INPUT_.
    pub input: u32,
    /// A push that would make the text longer than this many bytes is refused; 0: no limit.
    pub max_bytes: u64,
}

/// The options at `pointer`; NULL is the defaults.
///
/// # Safety
///
/// `pointer` is NULL or points to a `size_t` that tells how many readable bytes there are, itself counted.
pub(crate) unsafe fn read(pointer: *const harmony_options) -> Outcome<harmony_options> {
    let known = size_of::<harmony_options>();
    if pointer.is_null() {
        return Ok(harmony_options { size: known, policy: 0, routing: 0, start: 0, input: 0, max_bytes: 0 });
    }
    // SAFETY: every version of the struct begins with its size.
    let size = unsafe { pointer.cast::<usize>().read() };
    // Nobody has a struct of more than a page: such a size was never set.
    if !(known..=4096).contains(&size) {
        return Err(HARMONY_E_ARGUMENT);
    }
    // SAFETY: the caller vouches for `size` bytes.
    let rest = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>().add(known), size - known) };
    // What a newer caller has behind our fields must be unset, for we can't heed it.
    if rest.iter().any(|&byte| byte != 0) {
        return Err(HARMONY_E_ARGUMENT);
    }
    // SAFETY: all of our fields are there, and any bits are a number.
    Ok(unsafe { pointer.read() })
}

impl harmony_options {
    /// As the core takes them.
    pub(crate) fn core(&self) -> Outcome<Options> {
        let starts = [Start::Detect, Start::AssistantHeader, Start::AnalysisBody, Start::FinalBody];
        let options = Options::default()
            .policy(pick(self.policy, &[Policy::Verbatim, Policy::Recover])?)
            .routing(pick(self.routing, &[Routing::CommentaryFunctions, Routing::AnyRecipient])?)
            .start(pick(self.start, &starts)?)
            .input(pick(self.input, &[Input::Text, Input::Tokens])?);
        Ok(match usize::try_from(self.max_bytes) {
            Ok(0) => options,
            // More than the address space holds is no limit.
            limit => options.max_bytes(limit.unwrap_or(usize::MAX)),
        })
    }
}

/// The value with this number: its place in the list.
fn pick<T: Copy>(number: u32, values: &[T]) -> Outcome<T> {
    values.get(number as usize).copied().ok_or(HARMONY_E_ARGUMENT)
}
