//! The dynamo-parsers crate: its reasoning parser, which hands complete calls on as text, and its tool parser, which
//! splits those. The asynchronous stream that it puts between the two is left out, in its favour.

use std::io;

use dynamo_parsers::{
    JsonParserConfig, ParserResult, ReasoningParser, ReasoningParserType, parse_tool_calls_harmony_complete,
};
use tokio::runtime::{Builder, Runtime};

use crate::serve::{Loaded, Peer, Sink};

struct Dynamo {
    runtime: Runtime,
    config: JsonParserConfig,
}

impl Dynamo {
    fn new() -> io::Result<Dynamo> {
        let runtime = Builder::new_current_thread().build()?;
        Ok(Dynamo { runtime, config: JsonParserConfig::default() })
    }

    fn take(&self, result: ParserResult, sink: &mut impl Sink) -> Result<(), String> {
        sink.reasoning(&result.reasoning_text);
        let text = result.normal_text;
        if !(text.contains("<|channel|>") && text.contains("<|call|>")) {
            sink.content(&text);
            return Ok(());
        }
        let (calls, rest) = self
            .runtime
            .block_on(parse_tool_calls_harmony_complete(&text, &self.config, None))
            .map_err(|error| error.to_string())?;
        for call in calls {
            sink.call(&call.function.name);
            sink.arguments(&call.function.arguments);
        }
        sink.content(&rest.unwrap_or_default());
        Ok(())
    }
}

pub(crate) struct Streaming(Dynamo);

impl Streaming {
    pub(crate) fn new() -> io::Result<Streaming> {
        Dynamo::new().map(Streaming)
    }
}

impl Peer for Streaming {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        let mut parser = ReasoningParserType::get_reasoning_parser_from_name("gpt_oss");
        for piece in input.pieces() {
            self.0.take(parser.parse_reasoning_streaming_incremental(piece, &[]), sink)?;
        }
        self.0.take(parser.finish_reasoning_stream(), sink)
    }
}

pub(crate) struct Whole(Dynamo);

impl Whole {
    pub(crate) fn new() -> io::Result<Whole> {
        Dynamo::new().map(Whole)
    }
}

impl Peer for Whole {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        let mut parser = ReasoningParserType::get_reasoning_parser_from_name("gpt_oss");
        self.0.take(parser.detect_and_parse_reasoning(&input.text, &[]), sink)
    }
}
