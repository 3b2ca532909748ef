//! Detection while the text streams.

use alloc::vec::Vec;

use super::detect::{DetectOptions, Gate};
use super::scan::Scan;
use super::signal::{Detection, Signal, Surface};
use super::window::View;

/// How much of a long piece is copied behind the window at a time.
const SEGMENT: usize = 2048;

/// How long the window may get before what is not needed goes.
const ROOM: usize = 4096;

/// Finds leaks in text that comes in pieces, with a window of a few kilobytes.
///
/// It gives each signal as soon as the text around it is complete: 240 UTF-16 units from its start and 200 behind its
/// end. All signals together are exactly those that [`detect`](fn@super::detect) finds in the whole text, however it was
/// cut. On [`Surface::ToolArg`] nothing comes before the first signal with T.
///
/// Memory: less than 64 KB for text of any length, and the signals of the last call. Only on tool arguments, before the
/// first T, it also keeps 24 bytes for every control token and marker, since they count when a T comes.
///
/// ```
/// use harmony_stream::leak::{DetectOptions, Detector, Surface};
/// let mut detector = Detector::new(Surface::Text, DetectOptions::new());
/// let mut signals = Vec::new();
/// for piece in ["All done. <|e", "nd|> anal", "ysis to=func", "tions.edit code"] {
///     signals.extend_from_slice(detector.push(piece));
/// }
/// assert_eq!(signals.len(), 1); // the marker still waits for what follows it
/// signals.extend_from_slice(detector.finish());
/// assert_eq!(detector.detection(signals).unwrap().label(), "H,M+C");
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    surface: Surface,
    options: DetectOptions,
    scan: Scan,
    gate: Gate,
    /// The end of the text so far, as much of it as windows may need.
    window: Vec<u8>,
    /// Offset of the window's first byte.
    base: usize,
    /// The signals that the last call gave.
    out: Vec<Signal>,
    detected: bool,
    finished: bool,
}

impl Detector {
    /// A detector for one text.
    pub fn new(surface: Surface, options: DetectOptions) -> Detector {
        Detector {
            surface,
            gate: Gate::new(surface, options.parsed_end),
            options,
            scan: Scan::new(),
            window: Vec::new(),
            base: 0,
            out: Vec::new(),
            detected: false,
            finished: false,
        }
    }

    /// Takes the next piece of the text and gives the signals that are certain now.
    ///
    /// The piece is a `str`, or bytes, which may end inside a character. After [`finish`](Detector::finish) it is
    /// ignored.
    pub fn push(&mut self, piece: impl AsRef<[u8]>) -> &[Signal] {
        self.begin();
        if !self.finished {
            self.take(piece.as_ref());
        }
        self.give()
    }

    /// Tells where a valid parse of the tool's arguments ends, in bytes from the start of the text, and gives the
    /// signals that are certain now. The first end that is told counts, here or in the options.
    ///
    /// On [`Surface::ToolArg`] it may come any time before [`finish`](Detector::finish). On the other surfaces it
    /// counts for signals that were not given yet.
    pub fn set_parsed_end(&mut self, offset: usize) -> &[Signal] {
        self.begin();
        if !self.finished {
            self.gate.set_parsed_end(offset, &mut self.out);
        }
        self.give()
    }

    /// Ends the text and gives the signals that waited for more of it.
    pub fn finish(&mut self) -> &[Signal] {
        self.begin();
        if !self.finished {
            self.finished = true;
            self.run(true);
            self.gate.close();
            self.window = Vec::new();
        }
        self.give()
    }

    /// Whether there was a signal so far: stop the model as soon as this is true.
    pub fn detected(&self) -> bool {
        self.detected
    }

    /// The detection that all signals together make, with the content index, tool name and call id of the options;
    /// `None` without signals.
    pub fn detection(&self, signals: Vec<Signal>) -> Option<Detection> {
        self.options.detection(self.surface, signals)
    }

    /// Forgets the text and starts another one.
    pub fn reset(&mut self, surface: Surface, options: DetectOptions) {
        let mut window = core::mem::take(&mut self.window);
        window.clear();
        *self = Detector { window, ..Detector::new(surface, options) };
    }

    /// How many bytes it holds on the heap.
    pub fn memory(&self) -> usize {
        self.window.capacity()
            + self.out.capacity() * size_of::<Signal>()
            + self.gate.memory()
            + self.scan.memory()
    }

    fn begin(&mut self) {
        self.out.clear();
        // One piece with a great many signals does not bind memory for good.
        self.out.shrink_to(64);
    }

    fn give(&mut self) -> &[Signal] {
        self.detected |= !self.out.is_empty();
        &self.out
    }

    fn take(&mut self, piece: &[u8]) {
        let piece_at = self.base + self.window.len();
        let mut rest = piece;
        while !rest.is_empty() {
            if rest.len() > SEGMENT && self.low() >= piece_at {
                return self.take_in_place(piece, piece_at);
            }
            let (segment, behind) = rest.split_at(rest.len().min(SEGMENT));
            self.window.extend_from_slice(segment);
            self.run(false);
            rest = behind;
            if self.window.len() > ROOM {
                self.drop_before(self.low());
            }
        }
    }

    /// All that windows may need lies in the piece: no need to copy it.
    fn take_in_place(&mut self, piece: &[u8], piece_at: usize) {
        self.drop_before(self.low());
        let view = View::new(piece, piece_at, false);
        let (gate, out) = (&mut self.gate, &mut self.out);
        self.scan.run(view, &mut |signal| gate.pass(signal, out));
        let low = self.scan.low(view);
        self.scan.forget(view, low);
        self.window.clear();
        self.window.extend_from_slice(view.from(low));
        self.base = low;
    }

    fn run(&mut self, last: bool) {
        let view = View::new(&self.window, self.base, last);
        let (gate, out) = (&mut self.gate, &mut self.out);
        self.scan.run(view, &mut |signal| gate.pass(signal, out));
    }

    fn low(&self) -> usize {
        self.scan.low(View::new(&self.window, self.base, false))
    }

    fn drop_before(&mut self, low: usize) {
        self.scan.forget(View::new(&self.window, self.base, false), low);
        self.window.drain(..low.saturating_sub(self.base).min(self.window.len()));
        self.base = self.base.max(low);
    }
}
