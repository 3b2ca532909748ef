//! Code fences, in which nothing is a leak: documentation quotes markers there.

use memchr::memchr;

use super::window::View;
use crate::whitespace::trimmed_end;

/// Where the text stands with respect to fences. It is told of possible fences in order and never looks at a byte
/// twice, however long a line is.
#[derive(Clone, Debug)]
pub(super) struct Fences {
    open: bool,
    /// In the line that closed a fence, which is fenced to its end: where to look for that end.
    closing: Option<usize>,
    /// Text before this offset may be gone.
    mark: usize,
    /// Whether the line at `mark` has been blank up to there.
    blank: bool,
}

impl Fences {
    pub(super) fn new() -> Fences {
        Fences { open: false, closing: None, mark: 0, blank: true }
    }

    /// At `at` begins a run of three fence characters or more.
    pub(super) fn run(&mut self, view: View<'_>, at: usize) {
        if self.begins_line(view, at) {
            self.open = !self.open;
            self.closing = (!self.open).then_some(at);
        }
    }

    /// Whether a signal at `at` is fenced.
    pub(super) fn cover(&mut self, view: View<'_>, at: usize) -> bool {
        self.seek_line_end(view, at);
        self.open || self.closing.is_some()
    }

    /// Text before `at` is about to go.
    pub(super) fn forget(&mut self, view: View<'_>, at: usize) {
        if at > self.mark {
            self.seek_line_end(view, at);
            self.blank = self.begins_line(view, at);
            self.mark = at;
        }
    }

    /// Whether the line that `at` lies in is blank before it.
    fn begins_line(&self, view: View<'_>, at: usize) -> bool {
        let text = view.slice(self.mark, at);
        let blanks = trimmed_end(text);
        memchr(b'\n', &text[blanks..]).is_some() || (blanks == 0 && self.blank)
    }

    fn seek_line_end(&mut self, view: View<'_>, at: usize) {
        if let Some(from) = self.closing {
            let found = memchr(b'\n', view.slice(from, at)).is_some();
            self.closing = if found { None } else { Some(from.max(at)) };
        }
    }
}
