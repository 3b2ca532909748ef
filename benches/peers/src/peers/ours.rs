//! harmony-stream from Rust, pushed and at once.

use harmony_stream::{Event, Options, Parser, parse_with};

use crate::serve::{Loaded, Peer, Sink};

pub(crate) struct Streaming(pub(crate) Options);

impl Peer for Streaming {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        let mut parser = Parser::<str>::new(self.0);
        for piece in input.pieces() {
            for event in parser.push(piece).map_err(|error| error.to_string())? {
                take(event, sink);
            }
        }
        parser.finish().map_err(|error| error.to_string())?.for_each(|event| take(event, sink));
        Ok(())
    }
}

#[inline]
fn take(event: Event<&str>, sink: &mut impl Sink) {
    match event {
        Event::Content { text } => sink.content(text),
        Event::Reasoning { text } => sink.reasoning(text),
        Event::ToolCallStart { name, .. } => sink.call(name),
        Event::ToolCallArguments { text, .. } => sink.arguments(text),
        Event::Rollback => sink.rollback(),
        _ => {}
    }
}

pub(crate) struct Whole(pub(crate) Options);

impl Peer for Whole {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        let parsed = parse_with(&*input.text, self.0);
        sink.content(&parsed.content);
        sink.reasoning(&parsed.reasoning);
        for call in &parsed.tool_calls {
            sink.call(&call.name);
            sink.arguments(&call.arguments);
        }
        Ok(())
    }
}
