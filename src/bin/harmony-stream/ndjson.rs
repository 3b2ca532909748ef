//! `harmony-stream ndjson`: lines of Ollama's `/api/chat`.

use harmony_stream::openai::OllamaFilter;

use crate::problem::Problem;
use crate::{Outcome, filter};

// Paragraphs are one line each: clap breaks them where the terminal ends.
pub(crate) const LONG_ABOUT: &str = "\
Filters what Ollama streams from /api/chat: one JSON object a line.

Markup in message.content becomes what clients expect: the answer in message.content, reasoning in message.thinking, \
complete calls in message.tool_calls. The text of a call that is cut or no JSON object is put into message.thinking. \
Lines leave as they arrive. Whatever holds no harmony, or is split already, passes through byte for byte.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  curl -sN $URL/api/chat -d @request.json | harmony-stream ndjson
  harmony-stream ndjson --report < stored.jsonl > split.jsonl

Exit status:
  0  all that is harmony was split
  1  some of it passed through unchanged: it failed under --policy verbatim,
     is no JSON, or exceeded a limit (--report tells which)
  2  wrong arguments, or a file that cannot be read";

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: filter::FilterArgs,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Problem> {
    filter::run(&args.filter, OllamaFilter::new(args.filter.settings()))
}
