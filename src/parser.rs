//! The push parser: a transcript, and the machine that reads it.

use alloc::borrow::Borrow;
use core::fmt;

use crate::lexer::{self, Token};
use crate::machine::Machine;
use crate::{Control, Event, Finish, Input, Options, Span, Text};

/// Splits one stream while it comes in.
///
/// `T` is `str` (pieces are `&str` again, without a second validation) or `[u8]` for input that may be cut anywhere
/// or be no UTF-8 at all. Work is O(1) amortised per byte; memory is the transcript plus a constant.
///
/// ```
/// use harmony_stream::{Event, Options, Parser};
///
/// let mut parser = Parser::<str>::new(Options::lenient());
/// let mut answer = String::new();
/// for chunk in ["<|channel|>fin", "al<|mess", "age|>It rains", ".<|return|>"] {
///     for event in parser.push(chunk)? {
///         if let Event::Content { text } = event {
///             answer.push_str(text);
///         }
///     }
/// }
/// parser.finish()?;
/// assert_eq!(answer, "It rains.");
/// # Ok::<(), harmony_stream::Error>(())
/// ```
pub struct Parser<T: Text + ?Sized = str> {
    transcript: T::Owned,
    /// The machine has read the transcript up to here.
    read: usize,
    machine: Machine,
}

impl<T: Text + ?Sized> Parser<T> {
    /// A parser for one stream. Allocates nothing yet.
    pub fn new(options: Options) -> Parser<T> {
        Parser { transcript: T::Owned::default(), read: 0, machine: Machine::new(options, T::UTF8) }
    }

    /// Takes the next chunk, however it was cut, and gives the events that became certain with it.
    ///
    /// Events that the caller leaves come first the next time.
    ///
    /// # Errors
    ///
    /// [`Error::Finished`] after [`finish`](Self::finish), [`Error::Limit`] if the transcript would pass
    /// [`Options::max_bytes`]. An error changes nothing.
    #[inline]
    pub fn push(&mut self, chunk: &T) -> Result<Events<'_, T>, Error> {
        self.check(chunk.bytes().len())?;
        let from = self.transcript().bytes().len();
        T::append(&mut self.transcript, chunk);
        if self.read == from && lexer::is_text(chunk.bytes(), T::UTF8) {
            // Most pieces of a token's size: no marker, no half character, nothing that waits.
            let text: &T = self.transcript.borrow();
            self.read = text.bytes().len();
            self.machine.text(text.bytes(), from, self.read);
        } else {
            self.read_on(false);
        }
        Ok(self.events())
    }

    /// Takes a control token ([`Input::Tokens`] only).
    ///
    /// # Errors
    ///
    /// [`Error::NotTokens`] if the parser finds control tokens in the text itself, else as [`push`](Self::push).
    pub fn push_control(&mut self, control: Control) -> Result<Events<'_, T>, Error> {
        if self.machine.options().input != Input::Tokens {
            return Err(Error::NotTokens);
        }
        self.check(control.literal().len())?;
        // An unfinished UTF-8 sequence before a control token stays unfinished.
        self.read_on(true);
        let at = self.read;
        T::append_ascii(&mut self.transcript, control.literal());
        let text: &T = self.transcript.borrow();
        self.read = text.bytes().len();
        self.machine.control(text.bytes(), control, at, self.read);
        Ok(self.events())
    }

    /// Ends the stream. The last event is [`Event::Finish`].
    ///
    /// # Errors
    ///
    /// [`Error::Finished`] the second time.
    pub fn finish(&mut self) -> Result<Events<'_, T>, Error> {
        if self.finished() {
            return Err(Error::Finished);
        }
        self.read_on(true);
        let text: &T = self.transcript.borrow();
        self.machine.end(text.bytes());
        Ok(self.events())
    }

    /// The events that were not taken yet.
    #[inline]
    pub fn events(&mut self) -> Events<'_, T> {
        Events { text: self.transcript.borrow(), machine: &mut self.machine }
    }

    /// Makes the parser as new. Its memory is kept for the next stream.
    pub fn reset(&mut self) {
        T::clear(&mut self.transcript);
        self.read = 0;
        self.machine.reset();
    }

    /// Everything that was pushed, control tokens as their literals.
    pub fn transcript(&self) -> &T {
        self.transcript.borrow()
    }

    /// How many bytes at the end of the transcript wait for what follows: they are in no event yet.
    ///
    /// These can wait: the beginning of a marker or of a character, a header, a marker in a body that may be quoted with
    /// the text behind it, white space before the first message, and white space behind the arguments of a call (under
    /// [`Policy::Recover`](crate::Policy::Recover) behind unfinished ones too, for they may end there). Only white space
    /// and, under `Policy::Verbatim`, header text and text behind a `<|start|>` can be long.
    pub fn held(&self) -> usize {
        let length = self.transcript().bytes().len();
        if self.finished() { 0 } else { length - self.machine.settled(self.read).min(length) }
    }

    /// Whether [`finish`](Self::finish) was called.
    #[inline]
    pub fn finished(&self) -> bool {
        self.machine.ended
    }

    /// How the stream ended, or how it stands before the end.
    pub fn summary(&self) -> Finish {
        self.machine.summary()
    }

    fn check(&self, more: usize) -> Result<(), Error> {
        if self.finished() {
            return Err(Error::Finished);
        }
        match self.machine.options().max_bytes.get() {
            Some(limit) if more > limit.saturating_sub(self.transcript().bytes().len()) => {
                Err(Error::Limit { limit })
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn read_on(&mut self, last: bool) {
        let text: &T = self.transcript.borrow();
        self.read = read(&mut self.machine, text.bytes(), self.read, T::UTF8, last);
    }
}

/// Feeds the machine the transcript from `from` on, as far as it is certain, and says how far that is. `last`:
/// nothing follows what is there.
#[inline]
pub(crate) fn read(machine: &mut Machine, text: &[u8], from: usize, utf8: bool, last: bool) -> usize {
    let mut at = from;
    while at < text.len() {
        let token = if machine.failed() || machine.options().input == Input::Tokens {
            lexer::plain(&text[at..], utf8, last)
        } else {
            lexer::next(&text[at..], utf8, last)
        };
        match token {
            Token::Text(length) => {
                machine.text(text, at, at + length);
                at += length;
            }
            Token::Control(control) => {
                let end = at + control.literal().len();
                machine.control(text, control, at, end);
                at = end;
            }
            Token::Wait => break,
        }
    }
    at
}

impl<T: Text + ?Sized> Clone for Parser<T> {
    fn clone(&self) -> Parser<T> {
        Parser { transcript: self.transcript.clone(), read: self.read, machine: self.machine.clone() }
    }
}

impl<T: Text + ?Sized> fmt::Debug for Parser<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parser")
            .field("options", self.machine.options())
            .field("bytes", &self.transcript().bytes().len())
            .field("held", &self.held())
            .field("finished", &self.finished())
            .finish_non_exhaustive()
    }
}

/// The events of a push, in order. What is not taken stays for the next call.
pub struct Events<'a, T: Text + ?Sized = str> {
    text: &'a T,
    machine: &'a mut Machine,
}

impl<T: Text + ?Sized> Events<'_, T> {
    /// The next event with its text as spans of [`Parser::transcript`], and how many bytes of the stream had come
    /// before it became certain.
    #[inline]
    pub fn next_span(&mut self) -> Option<(Event<Span>, usize)> {
        self.machine.next(|span| span)
    }

    /// How many there are.
    pub fn remaining(&self) -> usize {
        self.machine.queue.len()
    }
}

impl<'a, T: Text + ?Sized> Iterator for Events<'a, T> {
    type Item = Event<&'a T>;

    #[inline]
    fn next(&mut self) -> Option<Event<&'a T>> {
        let text = self.text;
        self.machine.next(|span| text.piece(span)).map(|(event, _)| event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining(), Some(self.remaining()))
    }
}

impl<T: Text + ?Sized> ExactSizeIterator for Events<'_, T> {}
impl<T: Text + ?Sized> core::iter::FusedIterator for Events<'_, T> {}

impl<T: Text + ?Sized> fmt::Debug for Events<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("remaining", &self.remaining()).finish_non_exhaustive()
    }
}

/// Bad use of a parser. Nothing has changed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Error {
    /// The stream is finished; only [`Parser::reset`] makes the parser usable again.
    Finished,
    /// A control token was pushed, but the options say that they come as text.
    NotTokens,
    /// The transcript would pass this many bytes.
    Limit {
        /// [`Options::max_bytes`].
        limit: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Finished => f.write_str("the stream is finished; reset the parser to begin another"),
            Error::NotTokens => {
                f.write_str("control tokens are read from the text; set Input::Tokens to push them")
            }
            Error::Limit { limit } => write!(f, "the transcript would pass its limit of {limit} bytes"),
        }
    }
}

impl core::error::Error for Error {}
