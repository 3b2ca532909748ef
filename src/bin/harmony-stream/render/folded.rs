//! `--format json`: the whole result as one JSON object.

use std::io::{self, Write};

use harmony_stream::{Bytes, DeviationKind, Event, Failure, Finish, MessageEnd, Status};
use serde::Serialize;

use super::{Render, repair};

/// `failed`, `content`, `reasoning` and `tool_calls` are named as in the test vectors.
#[derive(Default, Serialize)]
struct Result {
    failed: bool,
    /// The whole text if it failed.
    content: String,
    reasoning: String,
    tool_calls: Vec<Call>,
    failure: Option<Why>,
    /// Which token closed the last message: the finish reason of a server.
    last_end: Option<MessageEnd>,
    deviations: Vec<Repair>,
    bytes: Bytes,
}

#[derive(Serialize)]
struct Call {
    name: String,
    recipient: String,
    arguments: String,
    status: Status,
}

#[derive(Serialize)]
struct Why {
    kind: DeviationKind,
    offset: usize,
    message: &'static str,
}

#[derive(Serialize)]
struct Repair {
    kind: DeviationKind,
    offset: usize,
    message: &'static str,
    repair: &'static str,
    dropped: String,
}

pub(crate) struct Folded<W> {
    out: W,
    // Bytes until the end: a sequence that the input broke may lie across two pieces.
    content: Vec<u8>,
    reasoning: Vec<u8>,
    result: Result,
}

impl<W: Write> Folded<W> {
    pub(crate) fn new(out: W) -> Folded<W> {
        Folded { out, content: Vec::new(), reasoning: Vec::new(), result: Result::default() }
    }

    fn roll_back(&mut self) {
        self.content.clear();
        self.reasoning.clear();
        self.result = Result::default();
    }

    fn finish(&mut self, finish: &Finish) -> io::Result<()> {
        let Finish { failure, last_end, bytes, .. } = *finish;
        let result = &mut self.result;
        result.failed = failure.is_some();
        result.failure = failure.map(why);
        result.content = lossy(&self.content);
        result.reasoning = lossy(&self.reasoning);
        result.last_end = last_end;
        result.bytes = bytes;
        serde_json::to_writer_pretty(&mut self.out, result)?;
        self.out.write_all(b"\n")
    }
}

fn why(failure: Failure) -> Why {
    Why { kind: failure.kind, offset: failure.offset, message: failure.kind.message() }
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

impl<W: Write> Render for Folded<W> {
    fn event(&mut self, event: &Event<&[u8]>) -> io::Result<()> {
        match *event {
            Event::Content { text } => self.content.extend_from_slice(text),
            Event::Reasoning { text } => self.reasoning.extend_from_slice(text),
            Event::ToolCallStart { name, recipient, .. } => {
                let (name, recipient) = (lossy(name), lossy(recipient));
                let call = Call { name, recipient, arguments: String::new(), status: Status::Incomplete };
                self.result.tool_calls.push(call);
            }
            Event::ToolCallEnd { index, arguments, status } => {
                let call = &mut self.result.tool_calls[index as usize];
                call.arguments = lossy(arguments);
                call.status = status;
            }
            Event::Deviation { kind, offset, dropped } => {
                let (message, repair, dropped) = (kind.message(), repair(kind), lossy(dropped));
                self.result.deviations.push(Repair { kind, offset, message, repair, dropped });
            }
            Event::Rollback => self.roll_back(),
            Event::Finish(finish) => return self.finish(&finish),
            _ => {}
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
