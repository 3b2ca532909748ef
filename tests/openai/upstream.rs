//! Servers that leave harmony in their text, and the way through a filter.

use harmony_stream::openai::{ChatFilter, OllamaFilter, Settings, Summary};
use serde_json::{Value, json};

use crate::support::chunks;

pub(crate) const ID: &str = "chatcmpl-7f";

pub(crate) fn event(data: impl std::fmt::Display) -> String {
    format!("data: {data}\n\n")
}

pub(crate) const DONE: &str = "data: [DONE]\n\n";

/// A chunk with these choices.
pub(crate) fn chunk(choices: Value) -> String {
    let chunk = json!({
        "id": ID, "object": "chat.completion.chunk", "created": 1764480000, "model": "gpt-oss-20b", "choices": choices,
    });
    event(chunk)
}

pub(crate) fn role(choice: u64) -> String {
    let delta = json!({"role": "assistant", "content": ""});
    chunk(json!([{"index": choice, "delta": delta, "logprobs": null, "finish_reason": null}]))
}

pub(crate) fn says(choice: u64, text: &str) -> String {
    let delta = json!({"content": text});
    chunk(json!([{"index": choice, "delta": delta, "logprobs": null, "finish_reason": null}]))
}

pub(crate) fn ends(choice: u64, reason: &str) -> String {
    chunk(json!([{"index": choice, "delta": {}, "logprobs": null, "finish_reason": reason}]))
}

/// One choice with this text, in pieces of `size` bytes.
pub(crate) fn chat_stream(text: &str, size: usize, reason: &str) -> String {
    let mut stream = role(0);
    for piece in chunks::fixed(text, size) {
        stream += &says(0, piece);
    }
    stream += &ends(0, reason);
    stream + DONE
}

pub(crate) fn line(text: &str) -> String {
    let message = json!({"role": "assistant", "content": text});
    let line = json!({"model": "gpt-oss:20b", "created_at": "2026-03-04T10:00:00Z", "message": message, "done": false});
    format!("{line}\n")
}

pub(crate) fn last_line(reason: &str) -> String {
    let message = json!({"role": "assistant", "content": ""});
    let line = json!({
        "model": "gpt-oss:20b", "created_at": "2026-03-04T10:00:00Z", "message": message,
        "done": true, "done_reason": reason, "eval_count": 7,
    });
    format!("{line}\n")
}

/// The same as Ollama streams it.
pub(crate) fn ollama_stream(text: &str, size: usize) -> String {
    let lines: String = chunks::fixed(text, size).into_iter().map(line).collect();
    lines + &last_line("stop")
}

/// What a filter makes of bytes that arrive in these chunks.
pub(crate) fn chat_chunks(chunks: &[&[u8]], settings: Settings) -> (String, Summary) {
    let (mut filter, mut out) = (ChatFilter::new(settings), Vec::new());
    chunks.iter().for_each(|chunk| filter.push(chunk, &mut out));
    let summary = filter.finish(&mut out);
    (String::from_utf8(out).expect("UTF-8"), summary)
}

pub(crate) fn ollama_chunks(chunks: &[&[u8]], settings: Settings) -> (String, Summary) {
    let (mut filter, mut out) = (OllamaFilter::new(settings), Vec::new());
    chunks.iter().for_each(|chunk| filter.push(chunk, &mut out));
    let summary = filter.finish(&mut out);
    (String::from_utf8(out).expect("UTF-8"), summary)
}

/// What a filter makes of a whole stream; the bytes' chunks do not matter.
pub(crate) fn chat(stream: &str, settings: Settings) -> (String, Summary) {
    however_cut(stream, |chunks| chat_chunks(chunks, settings))
}

/// The same for the lines of Ollama.
pub(crate) fn ollama(stream: &str, settings: Settings) -> (String, Summary) {
    however_cut(stream, |chunks| ollama_chunks(chunks, settings))
}

fn however_cut(stream: &str, run: impl Fn(&[&[u8]]) -> (String, Summary)) -> (String, Summary) {
    let cut = |longest| run(&chunks::random(stream.as_bytes(), longest, stream.len() as u64));
    // Long streams meet every kind of cut in one pass.
    if stream.len() > 1 << 16 {
        return cut(300);
    }
    let whole = run(&[stream.as_bytes()]);
    for longest in [1, 16, 300] {
        assert!(cut(longest) == whole, "in chunks of up to {longest} bytes: {stream}");
    }
    whole
}
