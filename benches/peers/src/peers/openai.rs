//! The openai-harmony crate. It takes token ids; turning text into ids is not timed.

use std::io;

use openai_harmony::chat::{Content, Role};
use openai_harmony::{HarmonyEncoding, HarmonyEncodingName, StreamableParser, load_harmony_encoding};

use crate::serve::{Loaded, Peer, Sink};

fn encoding() -> io::Result<HarmonyEncoding> {
    load_harmony_encoding(HarmonyEncodingName::HarmonyGptOss).map_err(io::Error::other)
}

/// Token by token, as servers use it: the channel, the recipient and the newest text after each.
pub(crate) struct Streaming(HarmonyEncoding);

impl Streaming {
    pub(crate) fn new() -> io::Result<Streaming> {
        encoding().map(Streaming)
    }

    fn stream(&self, input: &Loaded, sink: &mut impl Sink) -> anyhow::Result<()> {
        let mut parser = StreamableParser::new(self.0.clone(), Some(Role::Assistant))?;
        // The message whose call has been begun.
        let mut called = None;
        for id in &input.ids {
            parser.process(*id)?;
            take(&parser, &mut called, sink)?;
        }
        parser.process_eos()?;
        Ok(())
    }
}

fn take(parser: &StreamableParser, called: &mut Option<usize>, sink: &mut impl Sink) -> anyhow::Result<()> {
    let Some(text) = parser.last_content_delta()? else { return Ok(()) };
    let channel = parser.current_channel();
    match parser.current_recipient() {
        Some(recipient) if recipient != "assistant" => {
            let message = parser.messages().len();
            if called.replace(message) != Some(message) {
                sink.call(&recipient);
            }
            sink.arguments(&text);
        }
        _ if channel.as_deref() == Some("analysis") => sink.reasoning(&text),
        _ => sink.content(&text),
    }
    Ok(())
}

impl Peer for Streaming {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        self.stream(input, sink).map_err(|error| format!("{error:#}"))
    }
}

/// All tokens at once.
pub(crate) struct Whole(HarmonyEncoding);

impl Whole {
    pub(crate) fn new() -> io::Result<Whole> {
        encoding().map(Whole)
    }
}

impl Peer for Whole {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String> {
        let ids = input.ids.iter().copied();
        let messages = self
            .0
            .parse_messages_from_completion_tokens(ids, Some(Role::Assistant))
            .map_err(|error| format!("{error:#}"))?;
        for message in &messages {
            let recipient = message.recipient.as_deref().filter(|recipient| *recipient != "assistant");
            if let Some(recipient) = recipient {
                sink.call(recipient);
            }
            for content in &message.content {
                let Content::Text(part) = content else { continue };
                match (recipient, message.channel.as_deref()) {
                    (Some(_), _) => sink.arguments(&part.text),
                    (None, Some("analysis")) => sink.reasoning(&part.text),
                    (None, _) => sink.content(&part.text),
                }
            }
        }
        Ok(())
    }
}
