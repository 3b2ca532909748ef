//! Events in the three formats.

pub(crate) mod events;
pub(crate) mod folded;
mod indent;
pub(crate) mod text;

use std::io;

use harmony_stream::{DeviationKind, Event};

pub(crate) trait Render {
    /// Shows one event; the last is a Finish.
    fn event(&mut self, event: &Event<&[u8]>) -> io::Result<()>;

    /// Everything shown so far reaches the reader.
    fn flush(&mut self) -> io::Result<()>;
}

/// How a deviation was repaired, after the comma of "what is wrong, what was done".
fn repair(kind: DeviationKind) -> &'static str {
    match kind {
        DeviationKind::NoMessage => "so all of it is content",
        DeviationKind::StrayText => "so it is content",
        DeviationKind::StrayTerminator => "so it is dropped",
        DeviationKind::StrayConstrain => "so it is dropped, with its format word",
        DeviationKind::MissingHeader => "so the body is content",
        DeviationKind::MissingStart => "and is taken without it",
        DeviationKind::RepeatedStart => "and once is enough",
        DeviationKind::HeaderOrder => "so the last channel decides",
        DeviationKind::UnknownChannel => "so the nearest known word decides, else the body is content",
        DeviationKind::StrandedHeader => "so its text is taken by its channel",
        DeviationKind::LongHeader => "so the body begins here",
        DeviationKind::DroppedText => "so it is dropped",
        DeviationKind::ChannelInBody => "so the next message begins here",
        DeviationKind::DroppedMarker => "so it is dropped",
        DeviationKind::QuotedMarker => "so it is kept as a quotation",
        DeviationKind::RepeatedMessage => "so it is dropped",
        DeviationKind::Unterminated => "so its text stays as it is",
        DeviationKind::MalformedArguments => {
            "so they are passed on as they are, and the call must not be run"
        }
        DeviationKind::IncompleteArguments => "so the call must not be run",
        DeviationKind::WrongTerminator => "and counts as complete",
        _ => "and was repaired",
    }
}
