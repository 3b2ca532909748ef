//! `harmony-stream leak`: protocol text in what a user sees or a tool runs.

use std::io::{self, Write};
use std::ops::Range;

use anstyle::Style;
use clap::ValueEnum;
use harmony_stream::leak::{Class, Classes, DetectOptions, Signal, Surface, detect, label};
use serde::Serialize;

use crate::Outcome;
use crate::input::Source;
use crate::output::{Look, stdout};
use crate::problem::Problem;

pub(crate) const LONG_ABOUT: &str = "\
Finds protocol text that leaked into visible output, thinking or tool arguments.

Models sometimes write the shadow of a routing header where it does not belong:

    All tests pass. analysis to=functions.edit code

A control token such as <|end|> is reported wherever it stands outside a code fence; to=functions.NAME only in \
company, such as a channel word before it or a made-up tool result behind it, since honest text quotes it too.

Each signal is shown with its line and its column (both from 1, the column in characters), what gives it away, and \
the text around it.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  harmony-stream leak answer.txt                    search a visible answer
  harmony-stream leak --surface thinking - <turn    search a chain of thought
  harmony-stream leak --surface tool-arg --parsed-end 120 patch.txt
                                                    search what lies behind a tool's input
  harmony-stream leak --json answer.txt             the signals as one JSON object

Exit status:
  0  nothing leaked
  1  something did
  2  wrong arguments, or a file that cannot be read";

/// How many characters of the text are shown on each side of a signal.
const AROUND: usize = 40;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,

    /// What kind of text it is
    #[arg(long, value_enum, default_value_t, value_name = "SURFACE")]
    surface: SurfaceArg,

    /// How many bytes of a tool's arguments its parser took; behind them a marker is a leak
    ///
    /// Any text may stand in the arguments of a tool, so --surface tool-arg needs it.
    #[arg(long, value_name = "N", allow_negative_numbers = true, required_if_eq("surface", "tool-arg"))]
    parsed_end: Option<usize>,

    /// Print one JSON object: detection (null if the text is clean) and label
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum SurfaceArg {
    /// The visible answer
    #[default]
    Text,
    /// The chain of thought
    Thinking,
    /// The arguments of a tool call
    ToolArg,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Problem> {
    let text = args.source.open()?.all()?;
    let surface = match args.surface {
        SurfaceArg::Text => Surface::Text,
        SurfaceArg::Thinking => Surface::Thinking,
        SurfaceArg::ToolArg => Surface::ToolArg,
    };
    let found = detect(&text, surface, &DetectOptions::new().parsed_end(args.parsed_end));
    let signals = found.map_or(Vec::new(), |detection| detection.signals);
    let mut out = stdout();
    if args.json {
        write_json(&mut out, &text, &signals)?;
    } else {
        write_text(&mut out, &text, &signals)?;
    }
    out.flush()?;
    Ok(if signals.is_empty() { Outcome::Clean } else { Outcome::Failed })
}

/// Named as in the test vectors.
#[derive(Serialize)]
struct Report {
    detection: Option<Signals>,
    label: String,
}

#[derive(Serialize)]
struct Signals {
    signals: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    classes: Classes,
    start: usize,
    end: usize,
    text: String,
}

fn write_json(out: &mut impl Write, text: &[u8], signals: &[Signal]) -> io::Result<()> {
    let shown = |signal: &Signal| Shown {
        classes: signal.classes,
        start: signal.start,
        end: signal.end,
        text: String::from_utf8_lossy(&text[signal.start..signal.end]).into_owned(),
    };
    let detection = (!signals.is_empty()).then(|| Signals { signals: signals.iter().map(shown).collect() });
    serde_json::to_writer(&mut *out, &Report { detection, label: label(signals) })?;
    out.write_all(b"\n")
}

fn write_text(out: &mut impl Write, text: &[u8], signals: &[Signal]) -> io::Result<()> {
    let look = Look::of_stdout();
    let mut place = Place::default();
    for signal in signals {
        place.advance(text, signal.start);
        write_signal(out, text, signal, &place, look)?;
    }
    match signals.len() {
        0 => writeln!(out, "clean"),
        1 => writeln!(out, "1 signal: {}", label(signals)),
        n => writeln!(out, "{n} signals: {}", label(signals)),
    }
}

fn write_signal(
    out: &mut impl Write,
    text: &[u8],
    signal: &Signal,
    place: &Place,
    look: Look,
) -> io::Result<()> {
    let meanings: Vec<&str> = signal.classes.iter().map(Class::meaning).collect();
    let heading = format!("line {}, column {}", place.line, place.column);
    let (classes, meanings) = (signal.classes, meanings.join(", "));
    writeln!(out, "{}: {meanings} ({classes})", styled(look.heading, &heading))?;
    let around = around(text, signal.start..signal.end);
    let before = visible(&text[around.start..signal.start]);
    let marked = visible(&text[signal.start..signal.end]);
    let behind = visible(&text[signal.end..around.end]);
    let more = |cut: bool| if cut { "…" } else { "" };
    let (left, right) = (more(around.start > 0), more(around.end < text.len()));
    writeln!(out, "    {left}{before}{}{behind}{right}", styled(look.failure, &marked))
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A place in the text as an editor counts it.
struct Place {
    line: usize,
    column: usize,
    at: usize,
}

impl Default for Place {
    fn default() -> Place {
        Place { line: 1, column: 1, at: 0 }
    }
}

impl Place {
    /// Reads on to `to`. Each byte is looked at once however many signals there are.
    fn advance(&mut self, text: &[u8], to: usize) {
        let part = &text[self.at..to];
        let lines = part.iter().filter(|&&byte| byte == b'\n').count();
        let line = part.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if lines > 0 {
            self.column = 1;
        }
        self.line += lines;
        self.column += String::from_utf8_lossy(&part[line..]).chars().count();
        self.at = to;
    }
}

/// The signal with what is shown of the text around it.
fn around(text: &[u8], signal: Range<usize>) -> Range<usize> {
    let begins = |&at: &usize| at == 0 || text[at] & 0xc0 != 0x80;
    let start = (0..signal.start).rev().filter(begins).take(AROUND).last().unwrap_or(signal.start);
    let ends = |&at: &usize| at == text.len() || begins(&at);
    let end = (signal.end + 1..=text.len()).filter(ends).take(AROUND).last().unwrap_or(signal.end);
    start..end
}

/// On one line, and harmless for a terminal: untrusted text may hold escape sequences.
fn visible(text: &[u8]) -> String {
    let mut shown = String::new();
    for c in String::from_utf8_lossy(text).chars() {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}
