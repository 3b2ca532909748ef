//! `harmony-stream sse`: chat completion chunks of OpenAI-compatible servers.

use clap::ValueEnum;
use harmony_stream::openai::{ChatFilter, ReasoningField};

use crate::problem::Problem;
use crate::{Outcome, filter};

// Paragraphs are one line each: clap breaks them where the terminal ends.
pub(crate) const LONG_ABOUT: &str = "\
Filters what an OpenAI-compatible server streams: chat completion chunks as server-sent events.

Some servers leave the model's markup in delta.content. Here it becomes what clients expect: the answer in \
delta.content, reasoning in delta.reasoning_content, calls in delta.tool_calls, and a finish_reason that fits. Each \
choice is split by itself, and leaves as it arrives. Whatever holds no harmony, or is split already, passes through \
byte for byte.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  curl -sN $URL -d @request.json | harmony-stream sse
  harmony-stream sse --reasoning reasoning stored.txt
  harmony-stream sse --report < stored.txt > split.txt

Exit status:
  0  all that is harmony was split
  1  some of it passed through unchanged: it failed under --policy verbatim,
     is no JSON, or exceeded a limit (--report tells which)
  2  wrong arguments, or a file that cannot be read";

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    filter: filter::FilterArgs,

    /// The field of a delta that carries reasoning
    #[arg(long, value_enum, default_value_t, value_name = "FIELD")]
    reasoning: Field,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Field {
    /// As llama.cpp, SGLang and DeepSeek have it
    #[default]
    #[value(name = "reasoning_content")]
    ReasoningContent,
    /// As newer vLLM, LM Studio and OpenRouter have it
    Reasoning,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Problem> {
    let field = match args.reasoning {
        Field::ReasoningContent => ReasoningField::ReasoningContent,
        Field::Reasoning => ReasoningField::Reasoning,
    };
    filter::run(&args.filter, ChatFilter::new(args.filter.settings().reasoning(field)))
}
