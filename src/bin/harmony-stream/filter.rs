//! What the subcommands share that filter the response of a server: its bytes in, those for a client out, live.

use std::io::{self, Write};

use harmony_stream::openai::{ChatFilter, OllamaFilter, Settings, Summary};
use harmony_stream::{DeviationKind, Options};
use serde_json::{Map, Value, json};

use crate::Outcome;
use crate::input::Source;
use crate::output::stdout;
use crate::parse::{PolicyArg, RoutingArg, StartArg};
use crate::problem::Problem;

#[derive(clap::Args)]
pub(crate) struct FilterArgs {
    #[command(flatten)]
    source: Source,

    /// What a deviation from the grammar does
    ///
    /// Under verbatim, text with harmony waits for its end before it goes out.
    #[arg(long, value_enum, default_value = "recover", value_name = "POLICY")]
    policy: PolicyArg,

    /// What makes a message a tool call
    #[arg(long, value_enum, default_value = "any-recipient", value_name = "ROUTING")]
    routing: RoutingArg,

    /// Where each text begins: what the prompt already held
    #[arg(long, value_enum, default_value_t, value_name = "START")]
    start: StartArg,

    /// At the end, say what was found: one JSON object on standard error, without any text of the response
    #[arg(long)]
    report: bool,

    /// The longest event or line that is read [default: 16 MiB]
    #[arg(long, value_name = "BYTES")]
    max_event: Option<usize>,

    /// The longest text of one choice that is split [default: 16 MiB]
    #[arg(long, value_name = "BYTES")]
    max_transcript: Option<usize>,

    /// How much may wait for a decision [default: 16 MiB]
    #[arg(long, value_name = "BYTES")]
    max_held: Option<usize>,

    /// How many choices of a response are read [default: 128]
    #[arg(long, value_name = "N")]
    max_choices: Option<usize>,
}

impl FilterArgs {
    pub(crate) fn settings(&self) -> Settings {
        let options = Options::default()
            .policy(self.policy.into())
            .routing(self.routing.into())
            .start(self.start.into());
        let mut settings = Settings::default().parser(options);
        if let Some(bytes) = self.max_event {
            settings = settings.max_event(bytes);
        }
        if let Some(bytes) = self.max_transcript {
            settings = settings.max_transcript(bytes);
        }
        if let Some(bytes) = self.max_held {
            settings = settings.max_held(bytes);
        }
        if let Some(choices) = self.max_choices {
            settings = settings.max_choices(choices);
        }
        settings
    }
}

/// The two filters of the library.
pub(crate) trait Filter {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>);
    fn finish(self, out: &mut Vec<u8>) -> Summary;
}

impl Filter for ChatFilter {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        ChatFilter::push(self, bytes, out);
    }

    fn finish(self, out: &mut Vec<u8>) -> Summary {
        ChatFilter::finish(self, out)
    }
}

impl Filter for OllamaFilter {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        OllamaFilter::push(self, bytes, out);
    }

    fn finish(self, out: &mut Vec<u8>) -> Summary {
        OllamaFilter::finish(self, out)
    }
}

pub(crate) fn run(args: &FilterArgs, mut filter: impl Filter) -> Result<Outcome, Problem> {
    let mut output = stdout();
    let mut out = Vec::new();
    let mut send = |out: &mut Vec<u8>| -> io::Result<()> {
        output.write_all(out)?;
        out.clear();
        // The next piece may be long in coming.
        output.flush()
    };
    let read = args.source.open()?.pieces(None, |piece| {
        filter.push(piece, &mut out);
        Ok(send(&mut out)?)
    });
    // Where the input breaks off, what was held back still goes out.
    let summary = filter.finish(&mut out);
    let sent = send(&mut out);
    if args.report {
        eprintln!("{}", report(&summary));
    }
    read?;
    sent?;
    let unchanged = summary.failed > 0 || summary.unreadable > 0 || summary.limited();
    Ok(if unchanged { Outcome::Failed } else { Outcome::Clean })
}

fn report(summary: &Summary) -> Value {
    let counted = DeviationKind::ALL.into_iter().map(|kind| (kind, summary.deviations(kind)));
    let deviations: Map<String, Value> = counted
        .filter(|&(_, count)| count > 0)
        .map(|(kind, count)| (kind.name().to_owned(), count.into()))
        .collect();
    json!({
        "split": summary.split,
        "failed": summary.failed,
        "calls": {
            "complete": summary.complete_calls,
            "malformed": summary.malformed_calls,
            "incomplete": summary.incomplete_calls,
        },
        "deviations": deviations,
        "bytes": summary.bytes,
        "unreadable": summary.unreadable,
        "limits": {
            "event": summary.limits.event,
            "transcript": summary.limits.transcript,
            "held": summary.limits.held,
            "choices": summary.limits.choices,
        },
    })
}
