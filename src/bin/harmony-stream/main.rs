//! The program `harmony-stream`: what the library makes of a text, for people and for scripts.
//!
//! One file a subcommand: its arguments, and `run`. What several share is in `input`, `output` and `problem`.

mod filter;
mod input;
mod leak;
mod ndjson;
mod output;
mod parse;
mod pick;
mod problem;
mod render;
mod schema;
mod sse;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use problem::Problem;

const ABOUT: &str = "Splits the raw text of a gpt-oss model into reasoning, tool calls and answer";

// Paragraphs are one line each: clap breaks them where the terminal ends.
const LONG_ABOUT: &str = "\
Splits the raw text of a gpt-oss model into reasoning, tool calls and answer.

gpt-oss models write a whole turn as one text in the harmony format:

    <|channel|>analysis<|message|>They ask for the weather.<|end|>
    <|start|>assistant<|channel|>commentary to=functions.weather
    <|constrain|>json<|message|>{\"city\":\"Oslo\"}<|call|>

Give such a text as a file or on standard input. It is shown as it arrives: what the model thinks, which tools it \
calls, and what it answers.

A text that breaks the grammar is given back unchanged, with the reason and the offset of the byte that proves it \
(--policy verbatim, the default), or repaired as well as it can be (--lenient).";

const EXAMPLES: &str = "\
Examples:
  harmony-stream turn.txt                  show a stored turn
  curl -sN $URL | harmony-stream           watch one arrive
  harmony-stream --format json turn.txt    the result as one JSON object
  harmony-stream --format events turn.txt  every event, one JSON object a line
  harmony-stream --lenient broken.txt      repair, and say what and where
  harmony-stream --chunk 1 turn.txt        the same from pieces of one byte
  harmony-stream sse --help                between a server and its clients

Exit status:
  0  the text was parsed (under --policy recover always)
  1  it failed; all of it was given out unchanged, as content
  2  wrong arguments, or a file that cannot be read or is longer than --max-bytes";

#[derive(Parser)]
#[command(name = "harmony-stream", version, about = ABOUT, long_about = LONG_ABOUT, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Without a subcommand, `parse` is meant.
    #[command(flatten)]
    parse: parse::Args,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Show reasoning, tool calls and answer (the default)
    #[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
    Parse(parse::Args),
    /// Filter what an OpenAI-compatible server streams (chat completion chunks)
    #[command(long_about = sse::LONG_ABOUT, after_help = sse::EXAMPLES)]
    Sse(sse::Args),
    /// Filter what Ollama streams (lines of /api/chat)
    #[command(long_about = ndjson::LONG_ABOUT, after_help = ndjson::EXAMPLES)]
    Ndjson(ndjson::Args),
    /// Find protocol text that leaked into an answer, into thinking or into tool arguments
    #[command(long_about = leak::LONG_ABOUT, after_help = leak::EXAMPLES)]
    Leak(leak::Args),
    /// Pick a title, suggestions or queries out of a structured answer
    #[command(long_about = pick::LONG_ABOUT, after_help = pick::EXAMPLES)]
    Pick(pick::Args),
    /// Print the JSON schema that a structured answer should keep to
    #[command(after_help = schema::EXAMPLES)]
    Schema(schema::Args),
}

/// What a command found; the exit status says it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Clean,
    /// The text failed, something leaked, or there is no value to pick.
    Failed,
}

/// Clap takes whatever stands behind FILE for a subcommand.
fn one_file(error: clap::Error) -> clap::Error {
    let (ErrorKind::ArgumentConflict, Some(ContextValue::String(name))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return error;
    };
    let message = format!(
        "'{name}' is one too many: there is one FILE (join several with cat), and a subcommand comes first, with its \
         options behind it"
    );
    Cli::command().error(ErrorKind::ArgumentConflict, message)
}

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| one_file(error).exit());
    let outcome = match cli.command {
        Some(Command::Parse(args)) => parse::run(&args),
        Some(Command::Sse(args)) => sse::run(&args),
        Some(Command::Ndjson(args)) => ndjson::run(&args),
        Some(Command::Leak(args)) => leak::run(&args),
        Some(Command::Pick(args)) => pick::run(&args),
        Some(Command::Schema(args)) => schema::run(&args),
        None => parse::run(&cli.parse),
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(1),
        // `harmony-stream turn.txt | head` is no mistake.
        Err(Problem::ReaderGone) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("harmony-stream: {problem}");
            ExitCode::from(2)
        }
    }
}
