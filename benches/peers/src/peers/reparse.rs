//! What one does without a streaming parser: parse all that has come so far at every piece, and pass on what is new.
//! The parser is ours, so that only the way of using it differs.

use harmony_stream::{Event, Options, Parser};

use crate::serve::{Loaded, Peer, Sink};

pub(crate) struct Reparse;

impl Peer for Reparse {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        let mut text = String::new();
        let mut sent = Sums::default();
        for piece in input.pieces() {
            text.push_str(piece);
            // Not at once: that would pass on the half of a marker that has come.
            let mut parser = Parser::<str>::new(Options::lenient());
            let mut seen = Sums::default();
            for event in parser.push(&text).map_err(|error| error.to_string())? {
                seen.take(event, &mut sent, sink);
            }
        }
        Ok(())
    }
}

/// How much of each has come.
#[derive(Default)]
struct Sums {
    content: usize,
    reasoning: usize,
    calls: usize,
    /// Of all calls.
    arguments: usize,
}

impl Sums {
    /// Passes on what was not sent before.
    fn take(&mut self, event: Event<&str>, sent: &mut Sums, sink: &mut impl Sink) {
        match event {
            Event::Content { text } => {
                if let Some(new) = more(text, &mut self.content, &mut sent.content) {
                    sink.content(new);
                }
            }
            Event::Reasoning { text } => {
                if let Some(new) = more(text, &mut self.reasoning, &mut sent.reasoning) {
                    sink.reasoning(new);
                }
            }
            Event::ToolCallArguments { text, .. } => {
                if let Some(new) = more(text, &mut self.arguments, &mut sent.arguments) {
                    sink.arguments(new);
                }
            }
            Event::ToolCallStart { name, .. } => {
                self.calls += 1;
                if self.calls > sent.calls {
                    sent.calls = self.calls;
                    sink.call(name);
                }
            }
            _ => {}
        }
    }
}

fn more<'a>(text: &'a str, seen: &mut usize, sent: &mut usize) -> Option<&'a str> {
    let from = *seen;
    *seen += text.len();
    let new = text.get(sent.saturating_sub(from)..).filter(|new| !new.is_empty())?;
    *sent = *seen;
    Some(new)
}
