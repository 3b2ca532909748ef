//! `harmony-stream parse`, which is also what the program does without a subcommand.

use std::num::NonZeroUsize;

use clap::ValueEnum;
use harmony_stream::{Event, Options, Parser, Policy, Routing, Start};

use crate::Outcome;
use crate::input::Source;
use crate::output::{Look, stdout};
use crate::problem::Problem;
use crate::render::{Render, events::Lines, folded::Folded, text::Report};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: Source,

    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Give the text to the parser in pieces of N bytes (the result is the same for every N)
    #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    chunk: Option<NonZeroUsize>,

    /// Refuse a text of more than N bytes (its first N are shown, unless --format is json)
    #[arg(long, value_name = "N", value_parser = bytes, allow_negative_numbers = true)]
    max_bytes: Option<usize>,

    #[command(flatten)]
    options: OptionArgs,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// For people: the text as it arrives, then a summary
    #[default]
    Text,
    /// Every event, one JSON object a line
    Events,
    /// The whole result as one JSON object
    Json,
}

/// The options of the library; for use in the arguments of any command that parses.
#[derive(clap::Args)]
pub(crate) struct OptionArgs {
    /// What a deviation from the grammar does [default: verbatim]
    #[arg(long, value_enum, value_name = "POLICY")]
    policy: Option<PolicyArg>,

    /// What makes a message a tool call [default: commentary-functions]
    #[arg(long, value_enum, value_name = "ROUTING")]
    routing: Option<RoutingArg>,

    /// Where the text begins: what the prompt already held
    #[arg(long, value_enum, default_value_t, value_name = "START")]
    start: StartArg,

    /// What a live server wants: --policy recover --routing any-recipient
    #[arg(long)]
    lenient: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PolicyArg {
    /// It fails the whole text, which comes back unchanged
    Verbatim,
    /// It is repaired and reported; nothing is taken back
    Recover,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum RoutingArg {
    /// to=functions.NAME on the commentary channel
    CommentaryFunctions,
    /// Any recipient (to=python too) on any channel but final
    AnyRecipient,
}

#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum StartArg {
    /// Before the first message
    #[default]
    Detect,
    /// Behind <|start|>assistant, which the prompt ended with
    AssistantHeader,
    /// In the body of a reasoning message
    AnalysisBody,
    /// In the body of an answer
    FinalBody,
}

impl OptionArgs {
    /// What is said outright counts more than the preset.
    pub(crate) fn options(&self) -> Options {
        let mut options = if self.lenient { Options::lenient() } else { Options::default() };
        options = options.start(self.start.into());
        if let Some(policy) = self.policy {
            options = options.policy(policy.into());
        }
        if let Some(routing) = self.routing {
            options = options.routing(routing.into());
        }
        options
    }
}

impl From<PolicyArg> for Policy {
    fn from(policy: PolicyArg) -> Policy {
        match policy {
            PolicyArg::Verbatim => Policy::Verbatim,
            PolicyArg::Recover => Policy::Recover,
        }
    }
}

impl From<RoutingArg> for Routing {
    fn from(routing: RoutingArg) -> Routing {
        match routing {
            RoutingArg::CommentaryFunctions => Routing::CommentaryFunctions,
            RoutingArg::AnyRecipient => Routing::AnyRecipient,
        }
    }
}

impl From<StartArg> for Start {
    fn from(start: StartArg) -> Start {
        match start {
            StartArg::Detect => Start::Detect,
            StartArg::AssistantHeader => Start::AssistantHeader,
            StartArg::AnalysisBody => Start::AnalysisBody,
            StartArg::FinalBody => Start::FinalBody,
        }
    }
}

fn bytes(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "a number of bytes is needed")
}

/// A piece holds something.
fn at_least_one(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "a number of bytes, at least 1, is needed")
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Problem> {
    let input = args.source.open()?;
    let name = input.name().to_owned();
    let mut render = renderer(args.format);
    let mut parser = Parser::<[u8]>::new(args.options.options());
    let limit = args.max_bytes.unwrap_or(usize::MAX);
    let mut outcome = Outcome::Clean;
    let mut show = |events: harmony_stream::Events<'_, [u8]>| -> Result<(), Problem> {
        for event in events {
            if matches!(&event, Event::Finish(finish) if finish.failure.is_some()) {
                outcome = Outcome::Failed;
            }
            render.event(&event)?;
        }
        // The next piece may be long in coming.
        Ok(render.flush()?)
    };
    input.pieces(args.chunk, |piece| {
        let room = limit - parser.transcript().len();
        let (within, beyond) = piece.split_at(piece.len().min(room));
        show(parser.push(within)?)?;
        if beyond.is_empty() { Ok(()) } else { Err(Problem::TooLong { name: name.clone(), limit }) }
    })?;
    show(parser.finish()?)?;
    Ok(outcome)
}

fn renderer(format: Format) -> Box<dyn Render> {
    match format {
        Format::Text => Box::new(Report::new(stdout(), Look::of_stdout())),
        Format::Events => Box::new(Lines::new(stdout())),
        Format::Json => Box::new(Folded::new(stdout())),
    }
}
