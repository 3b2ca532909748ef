//! The company that makes a marker a leak, each kind searched in its own window around it.

use alloc::collections::VecDeque;

use memchr::memmem::Finder;

use super::marker::{
    CELL, CHANNEL_WORDS, CODE, CODE_OUTPUT, GLITCH_WORDS, MARKER, ends_with_channel_word, has_glitch,
    is_word, word,
};
use super::signal::{Class, Classes};
use super::window::{Edge, Ruler, Share, View, ahead, behind, has_foreign_run};
use crate::whitespace::{leading, space, trimmed_end};

/// Window sizes, in UTF-16 units.
pub(super) const FORWARD: usize = 240;
pub(super) const SHARE: usize = 200;
const CHANNEL: usize = 64;
const NEAR: usize = 16;
const SCRIPT: usize = 32;
/// The longest gaps inside a cascade and a made-up result.
const CASCADE_GAP: usize = 200;
const RESULT_GAP: usize = 80;

/// What the text before a marker shows. It is looked at early if the marker's name is so long that this text has to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    classes: Classes,
    foreign: bool,
    share: Share,
}

impl Before {
    /// `markers` holds the offset of every [`MARKER`] in the window, whatever follows it.
    pub(super) fn look(view: View<'_>, start: usize, markers: &VecDeque<usize>) -> Before {
        let near = behind(view, start, NEAR).at;
        let script = behind(view, start, SCRIPT).at;
        let edge = behind(view, start, SHARE);
        let mut share = Share::default();
        let foreign = has_foreign_run(view.slice(script, start));
        share.add_half(edge.split);
        share.add(view.slice(edge.at, start));
        let classes = Classes::NONE
            .with_if(follows_channel_word(view, start, markers), Class::Channel)
            .with_if(has_glitch(view.slice(near, start)), Class::Glitch);
        Before { classes, foreign, share }
    }
}

/// What is known of a marker when all its windows are full.
pub(super) struct Found<'a> {
    pub(super) view: View<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The edge of the window from `start` forward.
    pub(super) forward: usize,
    /// The edge of the window in which the share of ASCII is counted.
    pub(super) share: Edge,
    /// The markers from `start` on, among others.
    pub(super) markers: &'a VecDeque<usize>,
}

impl Found<'_> {
    /// The marker's classes; M alone is no signal.
    pub(super) fn classes(&self, before: Before, code_output: &Finder<'_>) -> Classes {
        // A name that is still going on at the window's edge leaves no room for what these two need.
        let forward = self.end < self.forward;
        before
            .classes
            .with(Class::Marker)
            .with_if(self.is_channel_word(), Class::Channel)
            .with_if(self.has_glitch(), Class::Glitch)
            .with_if(self.has_foreign_run(before), Class::Script)
            .with_if(forward && self.is_cascade(), Class::Cascade)
            .with_if(forward && self.has_result(code_output), Class::Result)
    }

    fn name(&self) -> &[u8] {
        self.view.slice(self.start + MARKER.len(), self.end)
    }

    /// C: the marker's own name is a channel word, and another marker follows at once.
    fn is_channel_word(&self) -> bool {
        let rest = self.view.from(self.end);
        let mut blank = 0;
        for _ in 0..NEAR - MARKER.len() {
            blank += space(&rest[blank..]);
        }
        blank > 0 && rest[blank..].starts_with(MARKER) && CHANNEL_WORDS.contains(&self.name())
    }

    /// G: beside the marker, or as its name.
    fn has_glitch(&self) -> bool {
        let near = ahead(self.view, self.end, NEAR).at;
        has_glitch(self.view.slice(self.end, near)) || GLITCH_WORDS.contains(&self.name())
    }

    /// S. The marker itself is ASCII, so no run crosses it.
    fn has_foreign_run(&self, before: Before) -> bool {
        let script = ahead(self.view, self.end, SCRIPT).at;
        if !before.foreign && !has_foreign_run(self.view.slice(self.end, script)) {
            return false;
        }
        let mut share = before.share;
        share.add_ascii(self.end - self.start);
        share.add(self.view.slice(self.end, self.share.at));
        share.add_half(self.share.split);
        share.is_mostly_ascii()
    }

    /// The markers from this one on that begin in the forward window.
    fn following(&self) -> impl Iterator<Item = usize> {
        let first = self.markers.partition_point(|&at| at < self.start);
        self.markers.range(first..).copied().take_while(|&at| at < self.forward)
    }

    /// B: `to=functions.NAME code`, and at most 200 units on another marker. It can only be the next one: between a
    /// marker and its `code` there is no room for one.
    fn is_cascade(&self) -> bool {
        self.following().zip(self.following().skip(1)).any(|(at, next)| {
            next + MARKER.len() <= self.forward
                && self.code_end(at).is_some_and(|end| self.is_within(end, next, CASCADE_GAP))
        })
    }

    /// Where `to=functions.NAME code` ends.
    fn code_end(&self, marker: usize) -> Option<usize> {
        let rest = self.view.slice(marker + MARKER.len(), self.forward);
        let name = word(rest);
        let blank = leading(&rest[name..]);
        let code = name + blank;
        let is_code = name > 0 && blank > 0 && &rest[code..code + word(&rest[code..])] == CODE;
        is_code.then_some(marker + MARKER.len() + code + CODE.len())
    }

    /// R: a marker with a name, and at most 80 units on `code_output` and the number of a cell.
    fn has_result(&self, code_output: &Finder<'_>) -> bool {
        let from = self.start + MARKER.len();
        code_output
            .find_iter(self.view.slice(from, self.forward))
            .map(|at| from + at)
            .filter(|&at| is_cell(self.view.slice(at + CODE_OUTPUT.len(), self.forward)))
            .any(|at| {
                self.following().take_while(|&marker| marker < at).any(|marker| self.leads_to(marker, at))
            })
    }

    /// Whether the gap from `marker` to `at` is short enough. The name may end anywhere, but not before its first
    /// character.
    fn leads_to(&self, marker: usize, at: usize) -> bool {
        let name = marker + MARKER.len();
        let longest = word(self.view.slice(name, at));
        longest > 0 && self.is_within(name + longest, at, RESULT_GAP)
    }

    fn is_within(&self, from: usize, to: usize, units: usize) -> bool {
        ahead(View::new(self.view.slice(from, to), from, true), from, units).at >= to
    }
}

/// C: before some marker in the window, this one included, stands a channel word.
fn follows_channel_word(view: View<'_>, start: usize, markers: &VecDeque<usize>) -> bool {
    let edge = behind(view, start, CHANNEL).at;
    let first = markers.partition_point(|&at| at < edge);
    markers.range(first..).take_while(|&&at| at <= start).any(|&at| {
        let before = view.slice(edge, at);
        let end = trimmed_end(before);
        end < before.len() && ends_with_channel_word(&before[..end])
    })
}

/// Whether `text` goes on with a line end, blanks before it or none, and `Cell 1:`.
fn is_cell(text: &[u8]) -> bool {
    let blank = leading(text);
    if blank == 0 || text[blank - 1] != b'\n' {
        return false;
    }
    let Some(rest) = text[blank..].strip_prefix(CELL) else { return false };
    let gap = leading(rest);
    let digits = rest[gap..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    gap > 0 && digits > 0 && rest.get(gap + digits) == Some(&b':')
}

/// Whether a marker can begin at `at`: not inside a word.
pub(super) fn is_boundary(view: View<'_>, at: usize) -> bool {
    !at.checked_sub(1).and_then(|before| view.byte(before)).is_some_and(is_word)
}

/// A ruler for the forward window.
pub(super) fn forward_ruler(start: usize) -> Ruler {
    Ruler::new(start, FORWARD)
}
