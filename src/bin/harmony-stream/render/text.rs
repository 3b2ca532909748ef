//! `--format text`: what a person wants to see while it arrives, and a summary.
//!
//! Text is written byte by byte as it came, whether it is UTF-8 or not.

use std::io::{self, Write};

use anstyle::Style;
use harmony_stream::{Bytes, Channel, DeviationKind, Event, Finish, MessageEnd, Status};

use super::indent::Indent;
use super::{Render, repair};
use crate::output::Look;

/// What the text on the screen is, up to the next heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Nothing,
    Reasoning,
    Content,
    Call,
}

#[derive(Default)]
struct Calls {
    complete: usize,
    malformed: usize,
    incomplete: usize,
}

pub(crate) struct Report<W> {
    out: W,
    look: Look,
    section: Section,
    /// Of the message that is open.
    channel: Option<Channel>,
    /// Whether the cursor is at the start of a line.
    fresh_line: bool,
    indent: Indent,
    calls: Calls,
}

impl<W: Write> Report<W> {
    pub(crate) fn new(out: W, look: Look) -> Report<W> {
        Report {
            out,
            look,
            section: Section::Nothing,
            channel: None,
            fresh_line: true,
            indent: Indent::default(),
            calls: Calls::default(),
        }
    }

    /// A line of ours, in brackets; text of the model goes on below it.
    fn note(&mut self, style: Style, words: &str) -> io::Result<()> {
        self.end_line()?;
        self.section = Section::Nothing;
        writeln!(self.out, "{style}[{words}]{style:#}")
    }

    fn end_line(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.fresh_line, true) {
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn enter(&mut self, section: Section) -> io::Result<()> {
        if self.section == section {
            return Ok(());
        }
        let words = match (section, self.channel) {
            (Section::Reasoning, _) => "reasoning",
            (_, Some(Channel::Commentary)) => "answer, on commentary",
            (_, Some(_)) => "answer",
            // Before the first message, or all of a text that failed.
            (_, None) => "text as it came",
        };
        self.note(self.look.heading, words)?;
        self.section = section;
        Ok(())
    }

    fn text(&mut self, section: Section, style: Style, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.enter(section)?;
        self.fresh_line = text.ends_with(b"\n");
        write!(self.out, "{style}")?;
        self.out.write_all(text)?;
        write!(self.out, "{style:#}")
    }

    fn call_start(&mut self, index: u32, recipient: &[u8]) -> io::Result<()> {
        let words = format!("call {index}: {}", String::from_utf8_lossy(recipient));
        self.note(self.look.call, &words)?;
        self.indent = Indent::default();
        self.section = Section::Call;
        Ok(())
    }

    fn arguments(&mut self, text: &[u8]) -> io::Result<()> {
        let style = self.look.call;
        write!(self.out, "{style}")?;
        self.indent.write(text, &mut self.out)?;
        self.fresh_line = false;
        write!(self.out, "{style:#}")
    }

    fn call_end(&mut self, index: u32, arguments: &[u8], status: Status) -> io::Result<()> {
        match status {
            Status::Complete => {
                self.calls.complete += 1;
                self.end_line()
            }
            Status::Malformed => {
                self.calls.malformed += 1;
                self.note(self.look.warning, &format!("call {index} is malformed: do not run it"))?;
                self.as_they_came(arguments)
            }
            Status::Incomplete => {
                self.calls.incomplete += 1;
                self.note(self.look.warning, &format!("call {index} is incomplete: do not run it"))
            }
        }
    }

    /// Arguments that are no JSON may have lost their own layout above.
    fn as_they_came(&mut self, arguments: &[u8]) -> io::Result<()> {
        if self.indent.changes_layout() {
            self.note(self.look.warning, "its arguments as they came")?;
            self.out.write_all(arguments)?;
            self.fresh_line = false;
        }
        self.end_line()
    }

    fn deviation(&mut self, kind: DeviationKind, offset: usize, dropped: &[u8]) -> io::Result<()> {
        let mut words = format!("byte {offset}: {}, {}", kind.message(), repair(kind));
        if !dropped.is_empty() {
            words += &format!("; dropped {:?}", String::from_utf8_lossy(dropped));
        }
        self.note(self.look.warning, &words)
    }

    fn rollback(&mut self) -> io::Result<()> {
        self.note(
            self.look.failure,
            "taken back: the text breaks the grammar, so all of it follows unchanged",
        )?;
        self.channel = None;
        self.calls = Calls::default();
        Ok(())
    }

    fn summary(&mut self, finish: &Finish) -> io::Result<()> {
        self.note(self.look.heading, "summary")?;
        self.outcome(finish)?;
        let Calls { complete, malformed, incomplete } = self.calls;
        writeln!(self.out, "calls     {complete} complete, {malformed} malformed, {incomplete} incomplete")?;
        let Bytes { analysis, commentary, r#final, other } = finish.bytes;
        writeln!(
            self.out,
            "bytes     {analysis} analysis, {commentary} commentary, {final} final, {other} other"
        )
    }

    fn outcome(&mut self, finish: &Finish) -> io::Result<()> {
        let Look { warning, failure: red, .. } = self.look;
        if let Some(failure) = finish.failure {
            return writeln!(
                self.out,
                "{red}outcome   failed {failure}; all of the text is unchanged{red:#}"
            );
        }
        match finish.deviations {
            0 => writeln!(self.out, "outcome   parsed")?,
            n => writeln!(self.out, "{warning}outcome   repaired, deviations: {n}{warning:#}")?,
        }
        writeln!(self.out, "ended by  {}", ending(finish.last_end))
    }
}

fn ending(end: Option<MessageEnd>) -> &'static str {
    match end {
        None => "nothing: there was no message",
        Some(MessageEnd::End) => "<|end|>",
        Some(MessageEnd::Return) => "<|return|>",
        Some(MessageEnd::Call) => "<|call|>",
        Some(MessageEnd::NextHeader) => "the next header",
        Some(MessageEnd::EndOfStream) => "the end of the text",
    }
}

impl<W: Write> Render for Report<W> {
    fn event(&mut self, event: &Event<&[u8]>) -> io::Result<()> {
        match *event {
            Event::MessageStart { channel, .. } => {
                self.channel = Some(channel);
                self.section = Section::Nothing;
                Ok(())
            }
            Event::Content { text } => self.text(Section::Content, Style::new(), text),
            Event::Reasoning { text } => self.text(Section::Reasoning, self.look.reasoning, text),
            Event::ToolCallStart { index, recipient, .. } => self.call_start(index, recipient),
            Event::ToolCallArguments { text, .. } => self.arguments(text),
            Event::ToolCallEnd { index, arguments, status } => self.call_end(index, arguments, status),
            Event::MessageEnd { .. } => {
                self.channel = None;
                self.section = Section::Nothing;
                Ok(())
            }
            Event::Deviation { kind, offset, dropped } => self.deviation(kind, offset, dropped),
            Event::Rollback => self.rollback(),
            Event::Finish(finish) => self.summary(&finish),
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harmony_stream::{Options, Parser};

    fn shown(text: &str, look: Look) -> String {
        let mut out = Vec::new();
        let mut report = Report::new(&mut out, look);
        let mut parser = Parser::<[u8]>::new(Options::lenient());
        let mut show = |event: Event<&[u8]>| report.event(&event).expect("there is room");
        parser.push(text.as_bytes()).expect("it is open").for_each(&mut show);
        parser.finish().expect("it is open").for_each(&mut show);
        String::from_utf8(out).expect("UTF-8")
    }

    /// On a terminal reasoning is dim, a call marked, the answer plain; every colour ends where its text does.
    #[test]
    fn kinds_of_text_look_different() {
        let text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.f\
                    <|message|>{\"a\":1}<|call|><|start|>assistant<|channel|>final<|message|>Noon.<|return|>";
        let coloured = shown(text, Look::coloured());
        for part in ["\u{1b}[2mHm.\u{1b}[0m", "\u{1b}[36m[call 0: functions.f]\u{1b}[0m", "\nNoon.\n"] {
            assert!(coloured.contains(part), "no {part:?} in {coloured:?}");
        }
        let plain: String = coloured
            .split('\u{1b}')
            .enumerate()
            .map(|(n, part)| match n {
                0 => part,
                _ => part.split_once('m').expect("a colour").1,
            })
            .collect();
        assert_eq!(plain, shown(text, Look::default()));
    }
}
