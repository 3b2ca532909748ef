//! `harmony-stream pick`: the value out of a structured answer.

use std::io::{self, Write};

use harmony_stream::structured::{Unresolved, pick_queries, pick_suggestions, pick_title, resolve};
use serde::Serialize;

use crate::Outcome;
use crate::input::Source;
use crate::output::stdout;
use crate::problem::Problem;
use crate::schema::Kind;

pub(crate) const LONG_ABOUT: &str = "\
Picks a title, suggestions or queries out of a model's answer.

The answer should be one JSON object, as `harmony-stream schema NAME` describes it. A preamble, a code fence and text \
behind the object are no harm. The title is printed as one line, the others one a line.

Where there is no value the reason tells what to do: do without it if the decoder was bound to the schema \
(--constrained), since then the answer was cut; read it as prose if it was not.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  harmony-stream pick title reply.txt
  curl -s $URL | harmony-stream pick queries --constrained --json

Exit status:
  0  there is a value
  1  there is none
  2  wrong arguments, or a file that cannot be read";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to pick
    #[arg(value_enum, value_name = "WHAT")]
    kind: Kind,

    #[command(flatten)]
    source: Source,

    /// The decoder was bound to the schema, so an answer that is no such object was cut
    #[arg(long)]
    constrained: bool,

    /// Print one JSON object: ok, then value or reason
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    One(String),
    Many(Vec<String>),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Problem> {
    let text = args.source.open()?.all()?;
    let picked = pick(&String::from_utf8_lossy(&text), args.kind, args.constrained);
    if args.json {
        write_json(&picked)?;
    } else {
        write_text(&picked)?;
    }
    Ok(if picked.is_ok() { Outcome::Clean } else { Outcome::Failed })
}

fn pick(raw: &str, kind: Kind, constrained: bool) -> Result<Value, Unresolved> {
    match kind {
        Kind::Title => resolve(raw, constrained, pick_title).map(Value::One),
        Kind::Suggestions => resolve(raw, constrained, pick_suggestions).map(Value::Many),
        Kind::Queries => resolve(raw, constrained, pick_queries).map(Value::Many),
    }
}

/// Named as in the test vectors.
#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

fn write_json(picked: &Result<Value, Unresolved>) -> io::Result<()> {
    let (value, reason) = (picked.as_ref().ok(), picked.as_ref().err().map(|reason| reason.name()));
    let mut out = stdout();
    serde_json::to_writer(&mut out, &Report { ok: picked.is_ok(), value, reason })?;
    out.write_all(b"\n")?;
    out.flush()
}

fn write_text(picked: &Result<Value, Unresolved>) -> io::Result<()> {
    let mut out = stdout();
    match picked {
        Ok(Value::One(text)) => writeln!(out, "{text}")?,
        Ok(Value::Many(list)) => list.iter().try_for_each(|text| writeln!(out, "{text}"))?,
        Err(reason) => eprintln!("harmony-stream: no value: {reason}; {}", advice(*reason)),
    }
    out.flush()
}

fn advice(reason: Unresolved) -> &'static str {
    match reason {
        Unresolved::ConstrainedParseFailed => "do without it, and do not show the answer",
        Unresolved::Unconstrained => {
            "read the answer as prose, or give --constrained if a grammar was applied"
        }
    }
}
