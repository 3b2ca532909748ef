//! Leaks in whole messages.

use std::ffi::c_char;

use harmony::leak::{Block, Registry, ToolCall, detect_in_message, recover_message};

use crate::leak::{harmony_signal, known_end, write_all};
use crate::pointer::{self, Batch, Slot, output, shared, values};
use crate::recover::{detection, harmony_registry, place};
use crate::status::Outcome;
use crate::{HARMONY_E_ARGUMENT, HARMONY_NONE, HARMONY_OK, guard, harmony_status, harmony_texts};

/// Anything else; it is not searched, but counts as a block.
pub const HARMONY_BLOCK_OTHER: u64 = 0;
/// Visible text.
pub const HARMONY_BLOCK_TEXT: u64 = 1;
/// The chain of thought.
pub const HARMONY_BLOCK_THINKING: u64 = 2;
/// A tool call.
pub const HARMONY_BLOCK_TOOL_CALL: u64 = 3;

/// A block of a finished message, lent for a call. Its texts must be UTF-8.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct harmony_block {
    /// HARMONY_BLOCK_.
    pub kind: u64,
    /// The text; of a tool call its arguments as JSON. A string `input` in them is what is searched, else their text
    /// without its white space.
    pub text: *const c_char,
    /// Its length in bytes.
    pub text_length: usize,
    /// The tool. NULL in other blocks.
    pub tool: *const c_char,
    /// Its length in bytes.
    pub tool_length: usize,
    /// Where a valid parse of what is searched in a tool call ends, so that 0 makes all of it lie behind that end.
    /// HARMONY_NO_END, where nobody knows: it is not searched.
    pub parsed_end: u64,
}

impl harmony_block {
    /// # Safety
    ///
    /// Its pointers are NULL or good for their lengths during `'a`.
    unsafe fn core<'a>(&self) -> Outcome<Block<'a>> {
        // SAFETY: the caller vouches for it.
        let text = || unsafe { pointer::utf8(self.text, self.text_length) };
        // SAFETY: the caller vouches for it.
        let tool = || unsafe { pointer::utf8(self.tool, self.tool_length) };
        Ok(match self.kind {
            HARMONY_BLOCK_OTHER => Block::Other,
            HARMONY_BLOCK_TEXT => Block::Text(text()?),
            HARMONY_BLOCK_THINKING => Block::Thinking(text()?),
            HARMONY_BLOCK_TOOL_CALL => {
                Block::ToolCall(ToolCall { id: "", name: tool()?, arguments: text()? })
            }
            _ => return Err(HARMONY_E_ARGUMENT),
        })
    }
}

/// Searches the blocks of a message in order, up to the first one with a leak: `*index` is that block, and the signals
/// are written as in harmony_leak_detect. `*count` is 0 if all is clean; then `*index` is `block_count`.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a count or length, a block's kind), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_leak_detect_message(
    blocks: *const harmony_block,
    block_count: usize,
    index: *mut usize,
    signals: *mut harmony_signal,
    capacity: usize,
    count: *mut usize,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends the outputs.
        let (batch, index) = unsafe { (Batch::at(signals, capacity, count), output(index, 0)) };
        let (batch, index) = (batch?, index?);
        // SAFETY: the caller lends the blocks.
        let blocks = unsafe { values(blocks, block_count) }?;
        // SAFETY: and their texts.
        let searched = blocks.iter().map(|block| unsafe { block.core() }).collect::<Outcome<Vec<_>>>()?;
        let found = detect_in_message(&searched, |index, _| known_end(blocks[index].parsed_end));
        *index = found.as_ref().and_then(|found| found.content_index).unwrap_or(blocks.len());
        Ok(write_all(batch, found.as_ref().map_or(&[], |found| &found.signals)))
    })
}

/// What is searched in a block, and what offsets count in. On success `*out` is one text that the caller frees, else
/// NULL. From the first signal on it is what is lost if the message is thrown away.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (its kind or a length), HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_block_searched(
    block: *const harmony_block,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends a block and its texts.
        let block = unsafe { shared(block)?.core() }?;
        slot.fill(harmony_texts::new([block.searched()]));
        Ok(HARMONY_OK)
    })
}

/// As harmony_leak_recover, for a tool call whose arguments have a string `input`, in which the first signal starts at
/// `signal_start`. HARMONY_OK: `*out` holds two texts that the caller frees, the one that takes the place of `input`,
/// and what was removed. The call then stands alone in its message, which stops for tool use; drop all other blocks, and
/// opaque payloads of the provider too, since nobody can tell whether they are clean.
///
/// HARMONY_NONE, and `*out` NULL: there is no recovery.
///
/// Errors: HARMONY_E_NULL, HARMONY_E_ARGUMENT (a block's kind, a length, a start that is no place in the input),
/// HARMONY_E_UTF8, HARMONY_E_PANIC.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn harmony_block_recover(
    registry: *const harmony_registry,
    block: *const harmony_block,
    signal_start: u64,
    out: *mut *mut harmony_texts,
) -> harmony_status {
    guard::status(|| {
        // SAFETY: the caller lends a pointer.
        let slot = unsafe { Slot::at(out) }?;
        // SAFETY: the caller lends a block and its texts.
        let block = unsafe { shared(block)?.core() }?;
        let Block::ToolCall(call) = block else { return Ok(HARMONY_NONE) };
        let start = place(&block.searched(), signal_start)?;
        let mut detection = detection(call.name, start);
        detection.content_index = Some(0);
        let recovered = |registry: &Registry| recover_message(&[block], &detection, registry);
        // SAFETY: the caller has a live handle, or none.
        let recovered = match unsafe { shared(registry) } {
            Ok(registry) => registry.0.look(|registry| Ok(recovered(registry)))?,
            Err(_) => recovered(&Registry::default()),
        };
        let Some(recovered) = recovered else { return Ok(HARMONY_NONE) };
        slot.fill(harmony_texts::new([recovered.clean, recovered.removed]));
        Ok(HARMONY_OK)
    })
}
