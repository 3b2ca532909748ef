//! A header that never reaches `<|message|>`: which of its text is the message, and where that goes.

use smallvec::SmallVec;

use crate::categories::{is_letter_or_digit, is_punctuation};
use crate::header::{Field, Fields, Recipient, Slot, rank};
use crate::whitespace::{is_space, leading, space};
use crate::words::{Strict, cut_short, first_char, glued_channels, strict, word_length};
use crate::{Channel, Routing, Span};

/// What such a header comes to.
#[derive(Debug, Default)]
pub(crate) struct Stranded {
    pub(crate) channel: Channel,
    pub(crate) recipient: Option<Recipient>,
    /// The text: that of one slot, or of a slot and its constraint.
    pub(crate) text: SmallVec<[Span; 2]>,
    /// Text that belongs nowhere.
    pub(crate) dropped: SmallVec<[Span; 2]>,
}

impl Stranded {
    /// Arguments are one span: the text that ends at `end`. That of another slot is dropped.
    pub(crate) fn keep_one(&mut self, end: usize) {
        let dropped = &mut self.dropped;
        self.text.retain(|span| {
            let keep = span.end == end;
            dropped.extend((!keep).then_some(*span));
            keep
        });
    }
}

/// One slot without its leading header words.
struct Rest {
    slot: Slot,
    group: u32,
    text: Span,
    channel: Option<Channel>,
    recipient: Option<Recipient>,
    format: bool,
    /// Its first word is the prompt's, which goes on here: it is no header word, so nothing leads.
    sealed: bool,
}

/// Reads the fields of a header without `<|message|>`. `channels`: it has a `<|channel|>`. `cut`: the stream ends
/// here, perhaps in the middle of a word.
pub(crate) fn strand(text: &[u8], fields: &Fields, channels: bool, routing: Routing, cut: bool) -> Stranded {
    let mut stranded = Stranded::default();
    let mut rests: SmallVec<[Rest; 3]> = fields.iter().map(|field| lead(text, field, routing)).collect();
    stranded.channel = channel(&rests, channels);
    let marks = matches!(stranded.channel, Channel::Commentary | Channel::None | Channel::Other);
    for rest in &mut rests {
        if marks && !rest.sealed {
            strip_marks(text, rest, routing, &mut stranded.dropped);
        }
        rest.text.start += leading(&text[rest.text.start..rest.text.end]);
    }
    stranded.recipient = recipient(&rests);
    if let Some(last) = rests.last_mut().filter(|last| cut && !last.sealed && last.text.end == text.len()) {
        strip_cut_word(text, last, marks, &mut stranded.dropped);
    }
    choose(&rests, &mut stranded);
    stranded
}

/// Leading header words: their channel and recipient, and where they end.
fn lead(text: &[u8], field: &Field, routing: Routing) -> Rest {
    let Field { slot, text: span, group, glued } = *field;
    let sealed = glued && first_char(&text[span.start..span.end]).is_some_and(is_letter_or_digit);
    let mut rest = Rest { slot, group, text: span, channel: None, recipient: None, format: false, sealed };
    // What is glued to a role begins the text.
    let mut leads = !glued;
    while leads {
        let at = rest.text.start + leading(&text[rest.text.start..span.end]);
        let Some((word, behind)) = strict(text, at, span.end) else { break };
        if !take(text, &mut rest, word, routing) {
            break;
        }
        rest.text.start = behind;
        leads = behind == span.end || space(&text[behind..span.end]) > 0;
    }
    rest
}

/// Notes what a leading word says; false if it does not lead here: a role outside the role slot, a second channel
/// word, a second format.
fn take(text: &[u8], rest: &mut Rest, word: Strict, routing: Routing) -> bool {
    match word {
        Strict::Role => rest.slot == Slot::Role,
        Strict::Format => !core::mem::replace(&mut rest.format, true),
        Strict::Channel(channel) => rest.channel.is_none() && rest.channel.replace(channel).is_none(),
        Strict::To(x) => {
            let recipient = Recipient::to(text, x).filter(|r| counts(r, rest.slot, routing));
            rest.recipient = rest.recipient.or(recipient);
            true
        }
        Strict::Function(span) => {
            if routing == Routing::AnyRecipient && rest.slot == Slot::Channel {
                let length = span.len() - "functions.".len();
                rest.recipient = rest.recipient.or(Some(Recipient::function(span.start, length)));
            }
            true
        }
    }
}

/// Whether the routing takes `to=X` here.
fn counts(recipient: &Recipient, slot: Slot, routing: Routing) -> bool {
    match routing {
        Routing::CommentaryFunctions => recipient.is_function() && slot != Slot::Constraint,
        Routing::AnyRecipient => true,
    }
}

fn recipient(rests: &[Rest]) -> Option<Recipient> {
    let named = rests.iter().filter(|rest| rest.recipient.is_some());
    named.min_by_key(|rest| rank(rest.slot, rest.group)).and_then(|rest| rest.recipient)
}

/// The last slot that names a channel decides.
fn channel(rests: &[Rest], channels: bool) -> Channel {
    if !channels {
        return Channel::None;
    }
    let mut slots = rests.iter().rev().filter(|rest| rest.slot == Slot::Channel).peekable();
    let nothing = if slots.peek().is_some() { Channel::Other } else { Channel::None };
    slots.find_map(|rest| rest.channel).unwrap_or(nothing)
}

/// Takes away `?` and repeated channel words, glued or not, and header words behind them.
fn strip_marks(text: &[u8], rest: &mut Rest, routing: Routing, dropped: &mut SmallVec<[Span; 2]>) {
    let end = rest.text.end;
    loop {
        let at = rest.text.start + leading(&text[rest.text.start..end]);
        if text[at..end].first() == Some(&b'?') {
            dropped.push(Span::new(at, at + 1));
            rest.text.start = at + 1;
        } else if let Some(behind) = glued_channels(text, at, end) {
            rest.text.start = behind;
        } else {
            match strict(text, at, end) {
                Some((word, behind)) if take(text, rest, word, routing) => rest.text.start = behind,
                _ => return,
            }
        }
    }
}

/// At the end of the stream a last word that may have become a header word is none of the text.
fn strip_cut_word(text: &[u8], rest: &mut Rest, marks: bool, dropped: &mut SmallVec<[Span; 2]>) {
    let word = &text[rest.text.start..rest.text.end];
    let roles = rest.slot == Slot::Role;
    let channels = marks || rest.channel.is_none();
    if word_length(word) == word.len() && cut_short(word, roles, !rest.format, channels) {
        dropped.push(rest.text);
        rest.text.start = rest.text.end;
    }
}

/// The last channel with text, in its slot or in its constraint, gives the text; else the role does. All other text
/// is dropped.
fn choose(rests: &[Rest], stranded: &mut Stranded) {
    let filled = |rest: &&Rest| !rest.text.is_empty();
    let group = rests.iter().rev().find(filled).map(|rest| rest.group);
    for rest in rests.iter().filter(filled) {
        if Some(rest.group) == group {
            stranded.text.push(rest.text);
        } else {
            stranded.dropped.push(rest.text);
        }
    }
}

/// Punctuation and white space only.
pub(crate) fn only_punctuation(text: &[u8], spans: &[Span]) -> bool {
    spans.iter().all(|span| {
        core::str::from_utf8(&text[span.start..span.end])
            .is_ok_and(|text| text.chars().all(|c| is_punctuation(c) || is_space(c)))
    })
}
