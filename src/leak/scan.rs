//! The scan itself: one pass over the text, whole or in pieces, that gives every control token and every marker in
//! order, once its windows are full.

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use memchr::memmem::Finder;
use memchr::{memchr, memchr3};

use super::cosignals::{Before, Found, SHARE, forward_ruler, is_boundary};
use super::fences::Fences;
use super::marker::{CODE_OUTPUT, MARKER, Token, begins_name, token, word};
use super::signal::{Class, Classes, Signal};
use super::window::{Ruler, View};

/// How far back a window reaches: 200 units of three bytes, and a bit for the character before.
const LOOK_BACK: usize = 640;

/// A name longer than this does not keep the text before it alive.
const LONG_NAME: usize = 1024;

/// How much is searched before markers are judged; small enough to stay in the first cache.
const BLOCK: usize = 16 * 1024;

/// How many more candidates may wait before markers are judged.
const WAITING: usize = 32;

/// A signal, or a marker that may be one.
#[derive(Clone, Debug)]
enum Candidate {
    Control { start: usize, end: usize },
    Marker(Marker),
}

#[derive(Clone, Debug)]
struct Marker {
    start: usize,
    /// Where its name ends, as far as that is known.
    end: usize,
    forward: Ruler,
    /// There when the end is known.
    share: Option<Ruler>,
    /// There if the name is long, which is rare: boxed, since many markers may wait.
    before: Option<Box<Before>>,
}

/// What comes next in the search.
enum Step {
    /// Go on from here.
    To(usize),
    /// Something begins here that more text decides.
    Wait,
}

/// What the scan remembers.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    /// All text before this was searched.
    at: usize,
    fences: Fences,
    /// The markers of the last few hundred bytes, valid or not: windows read them.
    markers: VecDeque<usize>,
    candidates: VecDeque<Candidate>,
    /// Where the name of the last marker begins. One that begins right there is part of that name: `to`.
    name_at: usize,
    code_output: Finder<'static>,
}

impl Scan {
    pub(super) fn new() -> Scan {
        Scan {
            at: 0,
            fences: Fences::new(),
            markers: VecDeque::new(),
            candidates: VecDeque::new(),
            name_at: usize::MAX,
            code_output: Finder::new(CODE_OUTPUT),
        }
    }

    /// Searches what is in view. `out` gets control tokens as H, markers with M and whatever the text around them
    /// adds, if anything.
    pub(super) fn run(&mut self, view: View<'_>, out: &mut impl FnMut(Signal)) {
        loop {
            let waits = self.search(view);
            let done = waits || self.at >= view.end();
            self.judge(if done { view } else { view.until(self.at) }, out);
            if done {
                return;
            }
        }
    }

    /// The text before this offset is not needed any more.
    pub(super) fn low(&self, view: View<'_>) -> usize {
        let needed = match self.candidates.front() {
            Some(Candidate::Marker(Marker { before: Some(_), end, .. })) => *end,
            Some(Candidate::Marker(marker)) => marker.start,
            _ => self.at,
        };
        view.floor(needed.min(self.at).saturating_sub(LOOK_BACK))
    }

    /// The text before `low` is about to go.
    pub(super) fn forget(&mut self, view: View<'_>, low: usize) {
        self.fences.forget(view, low);
    }

    /// Bytes on the heap.
    pub(super) fn memory(&self) -> usize {
        self.markers.capacity() * size_of::<usize>() + self.candidates.capacity() * size_of::<Candidate>()
    }

    /// Collects candidates in the next block. Whether the search waits for more text.
    ///
    /// Every marker and every control token holds `=` or `|`, every fence a backtick or a tilde. Searching for these
    /// four is about as fast as searching for the marker alone.
    fn search(&mut self, view: View<'_>) -> bool {
        let stop = view.end().min(self.at.saturating_add(BLOCK));
        let enough = self.candidates.len() + WAITING;
        let mut tilde = None;
        while self.at < stop {
            let tilde_at = match tilde.filter(|&at| at >= self.at) {
                Some(at) => at,
                None => find(view, self.at, stop, |text| memchr(b'~', text)),
            };
            tilde = Some(tilde_at);
            let at = find(view, self.at, tilde_at, |text| memchr3(b'=', b'|', b'`', text));
            if at >= stop {
                self.at = stop;
                break;
            }
            match self.step(view, at) {
                Step::To(next) => self.at = next,
                Step::Wait => {
                    self.at = at;
                    return true;
                }
            }
            if self.candidates.len() >= enough {
                break;
            }
        }
        false
    }

    fn step(&mut self, view: View<'_>, at: usize) -> Step {
        match view.byte(at) {
            Some(b'=') => self.equals_sign(view, at),
            Some(b'|') => self.bar(view, at),
            Some(fence) => self.fence(view, at, fence),
            None => Step::To(at + 1),
        }
    }

    fn equals_sign(&mut self, view: View<'_>, at: usize) -> Step {
        let Some(start) = at.checked_sub(2).filter(|&start| view.slice(start, at) == b"to") else {
            return Step::To(at + 1);
        };
        let rest = view.from(start);
        if !rest.starts_with(MARKER) {
            let maybe = !view.last && MARKER.starts_with(rest);
            return if maybe { Step::Wait } else { Step::To(at + 1) };
        }
        let end = start + MARKER.len();
        self.markers.push_back(start);
        if is_boundary(view, start) && start != self.name_at {
            self.name_at = end;
            self.marker(view, start, end);
        }
        Step::To(end)
    }

    fn marker(&mut self, view: View<'_>, start: usize, end: usize) {
        if !self.fences.cover(view, start) {
            let forward = forward_ruler(start);
            self.candidates.push_back(Candidate::Marker(Marker {
                start,
                end,
                forward,
                share: None,
                before: None,
            }));
        }
    }

    fn bar(&mut self, view: View<'_>, at: usize) -> Step {
        let Some(start) = at.checked_sub(1).filter(|&start| view.byte(start) == Some(b'<')) else {
            return Step::To(at + 1);
        };
        match token(view.from(start)) {
            Token::Signal(len) => {
                let end = start + len;
                if !self.fences.cover(view, start) {
                    self.candidates.push_back(Candidate::Control { start, end });
                }
                Step::To(end)
            }
            Token::Maybe if !view.last => Step::Wait,
            _ => Step::To(at + 1),
        }
    }

    fn fence(&mut self, view: View<'_>, at: usize, fence: u8) -> Step {
        let rest = view.from(at);
        let run = rest.iter().take_while(|&&byte| byte == fence).count();
        if run < 3 && run == rest.len() && !view.last {
            return Step::Wait;
        }
        if run >= 3 {
            self.fences.run(view, at);
        }
        Step::To(at + run)
    }

    /// Gives the candidates whose windows are full, in order.
    fn judge(&mut self, view: View<'_>, out: &mut impl FnMut(Signal)) {
        while let Some(candidate) = self.candidates.front_mut() {
            match candidate {
                Candidate::Control { start, end } => {
                    out(Signal { classes: Classes::NONE.with(Class::Control), start: *start, end: *end });
                }
                Candidate::Marker(marker) => match marker.ready(view, &self.markers) {
                    None => break,
                    Some(false) => {}
                    Some(true) => out(marker.judge(view, &self.markers, &self.code_output)),
                },
            }
            self.candidates.pop_front();
        }
        let low = self.low(view);
        while self.markers.front().is_some_and(|&at| at < low) {
            self.markers.pop_front();
        }
    }
}

/// Where in `[from, stop)` the search function finds something; `stop` if it does not.
fn find(view: View<'_>, from: usize, stop: usize, search: impl Fn(&[u8]) -> Option<usize>) -> usize {
    search(view.slice(from, stop)).map_or(stop, |at| from + at)
}

impl Marker {
    /// Whether it can be judged; `Some(false)` if it has no name, and so is none.
    fn ready(&mut self, view: View<'_>, markers: &VecDeque<usize>) -> Option<bool> {
        let forward = self.forward.advance(view);
        if self.share.is_none() && !self.find_end(view)? {
            return Some(false);
        }
        if self.share.is_none() {
            self.leave_long_name(view, markers);
            return None;
        }
        let share = self.share.as_mut().is_some_and(|ruler| ruler.advance(view));
        (forward && share).then_some(true)
    }

    /// Follows the name. Whether there is one; `None` if that is not known yet.
    fn find_end(&mut self, view: View<'_>) -> Option<bool> {
        if self.end == self.start + MARKER.len() {
            match view.byte(self.end) {
                None if !view.last => return None,
                first if !first.is_some_and(begins_name) => return Some(false),
                _ => {}
            }
        }
        self.end += word(view.from(self.end));
        if self.end < view.end() || view.last {
            self.share = Some(Ruler::new(self.end, SHARE));
        }
        Some(true)
    }

    fn leave_long_name(&mut self, view: View<'_>, markers: &VecDeque<usize>) {
        if self.before.is_none() && self.end - self.start > LONG_NAME {
            self.before = Some(Box::new(Before::look(view, self.start, markers)));
        }
    }

    fn judge(&self, view: View<'_>, markers: &VecDeque<usize>, code_output: &Finder<'_>) -> Signal {
        let before = match &self.before {
            Some(before) => **before,
            None => Before::look(view, self.start, markers),
        };
        let share = self.share.unwrap_or(self.forward).edge(view);
        let forward = self.forward.edge(view).at;
        let found = Found { view, start: self.start, end: self.end, forward, share, markers };
        Signal { classes: found.classes(before, code_output), start: self.start, end: self.end }
    }
}
