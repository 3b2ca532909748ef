//! What was found, for logs and metrics. Nothing here is text of a user.

use crate::{Bytes, DeviationKind, Event, Status};

/// What a filter has found in one response. Numbers only, so it may be logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Choices that held harmony and were split.
    pub split: u64,
    /// Choices that left the grammar under [`Policy::Verbatim`](crate::Policy) and passed through unchanged.
    pub failed: u64,
    /// Tool calls whose arguments are one JSON object.
    pub complete_calls: u64,
    /// Tool calls that were closed, but whose arguments are no JSON object.
    pub malformed_calls: u64,
    /// Tool calls that the end of the stream cut.
    pub incomplete_calls: u64,
    /// Bytes of text by the channel they came on.
    pub bytes: Bytes,
    /// Events (lines, bodies) with data that should be JSON and is not; they passed through unchanged.
    pub unreadable: u64,
    /// What exceeded a limit and passed through unchanged.
    pub limits: LimitHits,
    pub(super) deviations: [u64; DeviationKind::ALL.len()],
}

/// How often each limit of the [`Settings`](super::Settings) was exceeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LimitHits {
    /// Events of more than `max_event` bytes.
    pub event: u64,
    /// Choices with more than `max_transcript` bytes of text.
    pub transcript: u64,
    /// Times that events of more than `max_held` bytes would have waited.
    pub held: u64,
    /// Times that a choice beyond `max_choices` came.
    pub choices: u64,
}

impl Summary {
    /// How often something of this kind was repaired.
    pub fn deviations(&self, kind: DeviationKind) -> u64 {
        self.deviations[kind as usize]
    }

    /// How often anything was repaired.
    pub fn all_deviations(&self) -> u64 {
        self.deviations.iter().sum()
    }

    /// Whether any limit was exceeded.
    pub fn limited(&self) -> bool {
        self.limits != LimitHits::default()
    }

    /// Counts what a parser says.
    pub(crate) fn count<P>(&mut self, event: &Event<P>) {
        match event {
            Event::Deviation { kind, .. } => self.deviations[*kind as usize] += 1,
            Event::ToolCallEnd { status: Status::Complete, .. } => self.complete_calls += 1,
            Event::ToolCallEnd { status: Status::Malformed, .. } => self.malformed_calls += 1,
            Event::ToolCallEnd { status: Status::Incomplete, .. } => self.incomplete_calls += 1,
            _ => {}
        }
    }

    pub(crate) fn add(&mut self, other: &Summary) {
        self.split += other.split;
        self.failed += other.failed;
        self.complete_calls += other.complete_calls;
        self.malformed_calls += other.malformed_calls;
        self.incomplete_calls += other.incomplete_calls;
        self.bytes.analysis += other.bytes.analysis;
        self.bytes.commentary += other.bytes.commentary;
        self.bytes.r#final += other.bytes.r#final;
        self.bytes.other += other.bytes.other;
        self.unreadable += other.unreadable;
        self.limits.event += other.limits.event;
        self.limits.transcript += other.limits.transcript;
        self.limits.held += other.limits.held;
        self.limits.choices += other.limits.choices;
        for (sum, more) in self.deviations.iter_mut().zip(other.deviations) {
            *sum += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_own_number() {
        for (at, kind) in DeviationKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
            let mut summary = Summary::default();
            summary.count(&Event::Deviation { kind, offset: 0, dropped: () });
            assert_eq!((summary.deviations(kind), summary.all_deviations()), (1, 1));
        }
    }
}
