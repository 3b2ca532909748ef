//! How a stream ended, in full.

use harmony::Finish;

use crate::numbers::{deviation_number, end_number};

/// How a stream ended, or how it stands before the end. Initialise it with HARMONY_SUMMARY_INIT. Fields are only ever
/// added at the end; `size` tells the library which ones there are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct harmony_summary {
    /// sizeof(harmony_summary).
    pub size: usize,
    /// Why the whole text came back as content (HARMONY_DEVIATION_); 0 if it did not.
    pub failure: u32,
    /// How the last message ended (HARMONY_END_); 0 if there was none.
    pub last_end: u32,
    /// The byte that proved the failure.
    pub failure_offset: u64,
    /// How many deviations were repaired.
    pub deviations: u64,
    /// Bytes of body text (content, reasoning and arguments together) on the analysis channel.
    pub bytes_analysis: u64,
    /// On commentary.
    pub bytes_commentary: u64,
    /// On final.
    pub bytes_final: u64,
    /// On no channel, on an unknown one, and outside of messages.
    pub bytes_other: u64,
}

impl harmony_summary {
    pub(crate) fn fill(&mut self, finish: &Finish) {
        *self = harmony_summary { size: self.size, ..summary(finish) };
    }
}

fn summary(finish: &Finish) -> harmony_summary {
    harmony_summary {
        size: 0,
        failure: finish.failure.map_or(0, |failure| deviation_number(failure.kind)),
        last_end: finish.last_end.map_or(0, end_number),
        failure_offset: finish.failure.map_or(0, |failure| failure.offset as u64),
        deviations: finish.deviations,
        bytes_analysis: finish.bytes.analysis as u64,
        bytes_commentary: finish.bytes.commentary as u64,
        bytes_final: finish.bytes.r#final as u64,
        bytes_other: finish.bytes.other as u64,
    }
}
