//! A message header: its fields, and what they say about channel and recipient.

use core::cmp::Reverse;

use memchr::memmem;
use smallvec::SmallVec;

use crate::whitespace::{leading, space};
use crate::words::{channel, function, leading_channel, name, word_length};
use crate::{Channel, Routing, Span};

/// Which control token the text stands behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Slot {
    /// `<|start|>`, or nothing where that was lost.
    #[default]
    Role,
    /// `<|channel|>`.
    Channel,
    /// `<|constrain|>`.
    Constraint,
}

/// Text in a slot; never blank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) slot: Slot,
    pub(crate) text: Span,
    /// How many `<|channel|>` came before it: a channel and its constraint share the number.
    pub(crate) group: u32,
    /// It goes on with the word `assistant` of the prompt.
    pub(crate) glued: bool,
}

/// The fields of a header in their order: three at most in a good one.
pub(crate) type Fields = SmallVec<[Field; 3]>;

/// For whom a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipient {
    /// As it was written: `functions.NAME`, or another name.
    pub(crate) full: Span,
    /// Without `functions.`.
    pub(crate) name: Span,
}

impl Recipient {
    /// `functions.NAME`, where it begins, its NAME `length` bytes long.
    pub(crate) fn function(at: usize, length: usize) -> Recipient {
        let name = at + "functions.".len();
        Recipient { full: Span::new(at, name + length), name: Span::new(name, name + length) }
    }

    /// What `to=` names, unless it is somebody in the conversation or an unfinished `functions.`.
    pub(crate) fn to(text: &[u8], span: Span) -> Option<Recipient> {
        let name = &text[span.start..span.end];
        if let Some(rest) = name.strip_prefix(b"functions.") {
            let length = crate::words::name(rest);
            return (length > 0).then(|| Recipient::function(span.start, length));
        }
        let nobody: [&[u8]; 5] = [b"assistant", b"user", b"system", b"developer", b"all"];
        (!span.is_empty() && !nobody.contains(&name)).then_some(Recipient { full: span, name: span })
    }

    pub(crate) fn is_function(&self) -> bool {
        self.full != self.name
    }
}

/// A header while it is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    /// Where it begins, with its first token.
    pub(crate) start: usize,
    pub(crate) fields: Fields,
    /// The slot that text goes to now, and where that text begins.
    pub(crate) slot: Slot,
    pub(crate) text: usize,
    /// The first byte of it that is no white space, once `begun`; before, how far it was looked for.
    scanned: usize,
    begun: bool,
    /// Bytes of text in the fields so far.
    pub(crate) length: usize,
    pub(crate) channels: u32,
    pub(crate) constraints: bool,
    /// The word in a channel slot is a channel's name, and complete.
    pub(crate) named: bool,
    /// `<|start|>` was in a body: what follows may be quoted.
    pub(crate) split: bool,
    /// `<|start|>` was lost, so a channel word in the role names the channel.
    pub(crate) lost: bool,
    /// `<|start|>assistant` was in the prompt.
    pub(crate) prompted: bool,
}

impl Header {
    /// Begins a header whose first slot has its text from `at` on.
    pub(crate) fn begin(&mut self, slot: Slot, at: usize) {
        self.fields.clear();
        self.length = 0;
        self.channels = 0;
        self.constraints = false;
        self.split = false;
        self.lost = false;
        self.prompted = false;
        self.open(slot, at);
    }

    /// Goes on to a slot whose text begins at `at`.
    pub(crate) fn open(&mut self, slot: Slot, at: usize) {
        self.slot = slot;
        self.text = at;
        self.begun = false;
        self.scanned = at;
        self.named = false;
        self.channels += u32::from(slot == Slot::Channel);
        self.constraints |= slot == Slot::Constraint;
    }

    /// Looks at the slot's text up to `to`: whether it has any that is not blank.
    pub(crate) fn read(&mut self, text: &[u8], to: usize) -> bool {
        if !self.begun {
            self.scanned += leading(&text[self.scanned..to]);
            self.begun = self.scanned < to;
        }
        self.begun
    }

    /// The first byte of the slot's text that is no white space.
    pub(crate) fn word(&self) -> Option<usize> {
        self.begun.then_some(self.scanned)
    }

    /// The slot's text ends at `at`, before what was read of it.
    pub(crate) fn cut(&mut self, at: usize) {
        self.begun &= self.scanned < at;
        self.close(at);
    }

    /// Ends the slot's text.
    pub(crate) fn close(&mut self, at: usize) {
        if self.begun {
            let first = self.prompted && self.fields.is_empty() && self.slot == Slot::Role;
            let glued = first && self.word() == Some(self.text);
            let text = Span::new(self.text, at);
            self.fields.push(Field { slot: self.slot, text, group: self.channels, glued });
            self.length += at - self.text;
        }
        self.begun = false;
        self.text = at;
    }

    /// Nothing but the token that began it.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.slot == Slot::Role && !self.begun
    }

    /// The channel of a complete header.
    pub(crate) fn channel(&self, text: &[u8]) -> Channel {
        if self.channels == 0 {
            let role = self.lost.then(|| self.fields.first()).flatten();
            return role.and_then(|field| leading_channel(of(text, field))).unwrap_or(Channel::None);
        }
        let mut slots = self.fields.iter().rev().filter(|field| field.slot == Slot::Channel).peekable();
        let nothing = if slots.peek().is_some() { Channel::Other } else { Channel::None };
        slots.find_map(|field| leading_channel(of(text, field))).unwrap_or(nothing)
    }

    /// The recipient of a complete header: the last slot and its constraint first, then earlier ones, the role last.
    pub(crate) fn recipient(&self, text: &[u8], routing: Routing) -> Option<Recipient> {
        by_rank(&self.fields).find_map(|field| match (routing, field.slot) {
            (Routing::CommentaryFunctions, Slot::Constraint) => None,
            (Routing::CommentaryFunctions, _) => any_function(text, field.text),
            (Routing::AnyRecipient, _) => anybody(text, field),
        })
    }
}

/// The fields by [`rank`].
fn by_rank(fields: &Fields) -> impl Iterator<Item = &Field> {
    // A channel comes before its constraint as it is; only the role has to go behind constraints that stand alone.
    fields.chunk_by(|one, other| one.group == other.group).rev().flat_map(|group| {
        let of = |role: bool| group.iter().filter(move |field| (field.slot == Slot::Role) == role);
        of(false).chain(of(true))
    })
}

/// The place of a slot in the order in which they name a recipient: slots from the last to the first, each followed
/// by its constraint, the role at the end.
pub(crate) fn rank(slot: Slot, group: u32) -> (Reverse<u32>, u8) {
    let behind = match slot {
        Slot::Channel => 0,
        Slot::Constraint => 1,
        Slot::Role => 2,
    };
    (Reverse(group), behind)
}

/// Whether a message is a tool call.
pub(crate) fn is_call(routing: Routing, channel: Channel) -> bool {
    match routing {
        Routing::CommentaryFunctions => channel == Channel::Commentary,
        Routing::AnyRecipient => channel != Channel::Final,
    }
}

/// Whether the first word of a channel slot is, letter by letter, a channel's name. A word that goes on counts.
pub(crate) fn names_channel(word: &[u8]) -> bool {
    channel(&word[..word_length(word)]).is_some()
}

pub(crate) fn of<'a>(text: &'a [u8], field: &Field) -> &'a [u8] {
    &text[field.text.start..field.text.end]
}

/// The first `to=functions.NAME`, wherever it stands.
fn any_function(text: &[u8], span: Span) -> Option<Recipient> {
    let text = &text[..span.end];
    let mut found = memmem::find_iter(&text[span.start..], b"to=functions.");
    found.find_map(|at| {
        let at = span.start + at + "to=".len();
        let length = name(&text[at + "functions.".len()..]);
        (length > 0).then(|| Recipient::function(at, length))
    })
}

/// The first recipient of any kind; in a channel slot `functions.NAME` counts without `to=`.
fn anybody(text: &[u8], field: &Field) -> Option<Recipient> {
    let (span, bare) = (field.text, field.slot == Slot::Channel);
    let inside = any_function(text, span);
    let limit = inside.map_or(span.end, |recipient| recipient.full.start);
    word_starts(text, Span::new(span.start, limit), !field.glued)
        .find_map(|at| named(text, at, span.end, bare))
        .or(inside)
}

/// The recipient that the word at `at` names.
fn named(text: &[u8], at: usize, end: usize, bare: bool) -> Option<Recipient> {
    let word = &text[at..end];
    if let Some(rest) = word.strip_prefix(b"to=") {
        let x = Span::new(at + 3, at + 3 + name(rest));
        return Recipient::to(&text[..end], x);
    }
    let length = if bare { function(word) } else { 0 };
    (length > 0).then(|| Recipient::function(at, length - "functions.".len()))
}

/// The offsets at which a word begins; `first`: one begins with the text.
fn word_starts(text: &[u8], span: Span, first: bool) -> impl Iterator<Item = usize> {
    let mut before_space = first;
    let mut at = span.start;
    core::iter::from_fn(move || {
        while at < span.end {
            let n = space(&text[at..span.end]);
            let here = at;
            at += n.max(1);
            let starts = before_space && n == 0;
            before_space = n > 0;
            if starts {
                return Some(here);
            }
        }
        None
    })
}
