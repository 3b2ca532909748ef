//! Detection in finished text, and the rule that turns what a scan finds into signals.

use alloc::string::String;
use alloc::vec::Vec;

use super::scan::Scan;
use super::signal::{Class, Classes, Detection, Signal, Surface};
use super::window::View;

/// What is known of the text besides the text.
///
/// ```
/// use harmony_stream::leak::DetectOptions;
/// let options = DetectOptions::new().parsed_end(17).content_index(2).tool("edit", "call_7");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetectOptions {
    pub(super) parsed_end: Option<usize>,
    pub(super) content_index: Option<usize>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_call_id: Option<String>,
}

impl DetectOptions {
    /// Nothing is known.
    pub fn new() -> DetectOptions {
        DetectOptions::default()
    }

    /// The byte offset at which a valid parse of the tool's arguments ends. Markers at or behind it get T, and without
    /// it [`Surface::ToolArg`] is silent.
    #[must_use]
    pub fn parsed_end(mut self, offset: impl Into<Option<usize>>) -> DetectOptions {
        self.parsed_end = offset.into();
        self
    }

    /// Which block of the message the text is; it comes back in the [`Detection`].
    #[must_use]
    pub fn content_index(mut self, index: usize) -> DetectOptions {
        self.content_index = Some(index);
        self
    }

    /// The tool call whose arguments the text is; name and id come back in the [`Detection`].
    #[must_use]
    pub fn tool(mut self, name: impl Into<String>, call_id: impl Into<String>) -> DetectOptions {
        self.tool_name = Some(name.into());
        self.tool_call_id = Some(call_id.into());
        self
    }

    /// The detection with these signals; `None` without any.
    pub(super) fn detection(&self, surface: Surface, signals: Vec<Signal>) -> Option<Detection> {
        let (tool_name, tool_call_id) = (self.tool_name.clone(), self.tool_call_id.clone());
        let content_index = self.content_index;
        (!signals.is_empty()).then_some(Detection {
            surface,
            content_index,
            tool_name,
            tool_call_id,
            signals,
        })
    }
}

/// Searches `text` for protocol that leaked into it. `None` if it is clean.
///
/// A control token is a signal by itself, `to=functions.NAME` only in company (see the [module](super)). On
/// [`Surface::ToolArg`] there is a detection only if some signal has T; then it has all signals.
///
/// `text` is a `str`, or bytes that should be UTF-8; what is not counts as ordinary text. The work is linear, and the
/// offsets lie on character boundaries.
///
/// ```
/// use harmony_stream::leak::{detect, DetectOptions, Surface};
/// let options = DetectOptions::new();
/// let detection = detect("done. analysis to=functions.edit code", Surface::Text, &options).unwrap();
/// assert_eq!((detection.signals[0].start, detection.label().as_str()), (15, "M+C"));
/// assert_eq!(detect("write to=functions.edit to call it", Surface::Text, &options), None);
/// ```
pub fn detect(text: impl AsRef<[u8]>, surface: Surface, options: &DetectOptions) -> Option<Detection> {
    let mut gate = Gate::new(surface, options.parsed_end);
    if gate.is_shut() {
        return None;
    }
    let mut signals = Vec::new();
    Scan::new().run(View::new(text.as_ref(), 0, true), &mut |signal| gate.pass(signal, &mut signals));
    options.detection(surface, signals)
}

/// Decides which of the scan's findings are signals, and when.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    surface: Surface,
    parsed_end: Option<usize>,
    /// Whether some signal has T.
    trailing: bool,
    /// On tool arguments, what was found before the first T.
    held: Vec<Signal>,
}

impl Gate {
    pub(super) fn new(surface: Surface, parsed_end: Option<usize>) -> Gate {
        Gate { surface, parsed_end, trailing: false, held: Vec::new() }
    }

    /// Nothing will pass until the end of the arguments is known.
    fn is_shut(&self) -> bool {
        self.surface == Surface::ToolArg && self.parsed_end.is_none()
    }

    pub(super) fn pass(&mut self, found: Signal, out: &mut Vec<Signal>) {
        if self.is_shut() {
            return self.held.push(found); // a bare marker too: T may come
        }
        let Some(signal) = self.weigh(found) else { return };
        self.trailing |= signal.classes.contains(Class::Trailing);
        if self.surface == Surface::ToolArg && !self.trailing {
            return self.held.push(signal);
        }
        out.extend(core::mem::take(&mut self.held));
        out.push(signal);
    }

    /// Adds T; a marker without company is no signal.
    fn weigh(&self, found: Signal) -> Option<Signal> {
        let is_marker = found.classes.contains(Class::Marker);
        let is_behind = self.parsed_end.is_some_and(|end| found.start >= end);
        let classes = found.classes.with_if(is_marker && is_behind, Class::Trailing);
        (classes != Classes::NONE.with(Class::Marker)).then_some(Signal { classes, ..found })
    }

    /// The first end that is told counts.
    pub(super) fn set_parsed_end(&mut self, end: usize, out: &mut Vec<Signal>) {
        if self.parsed_end.is_none() {
            self.parsed_end = Some(end);
            for found in core::mem::take(&mut self.held) {
                self.pass(found, out);
            }
        }
    }

    /// What was held was no leak.
    pub(super) fn close(&mut self) {
        self.held = Vec::new();
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.held.capacity() * size_of::<Signal>()
    }
}
