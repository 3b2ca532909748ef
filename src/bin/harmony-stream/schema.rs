//! `harmony-stream schema`: what to send with a request for a structured answer.

use std::io::Write;

use clap::ValueEnum;
use harmony_stream::structured::{QUERIES_SCHEMA, SUGGESTIONS_SCHEMA, TITLE_SCHEMA};

use crate::Outcome;
use crate::output::stdout;
use crate::problem::Problem;

pub(crate) const EXAMPLES: &str = "\
Examples:
  harmony-stream schema title               for the request
  harmony-stream pick title reply.txt       for the answer to it

Exit status:
  0  the schema was printed
  2  wrong arguments";

/// What a side call asks for.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    /// A chat title: one string
    Title,
    /// Suggestion chips: three strings
    Suggestions,
    /// Retrieval queries: one string or more
    Queries,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which schema
    #[arg(value_enum, value_name = "NAME")]
    name: Kind,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Problem> {
    let schema = match args.name {
        Kind::Title => TITLE_SCHEMA,
        Kind::Suggestions => SUGGESTIONS_SCHEMA,
        Kind::Queries => QUERIES_SCHEMA,
    };
    let mut out = stdout();
    writeln!(out, "{schema}")?;
    out.flush()?;
    Ok(Outcome::Clean)
}
