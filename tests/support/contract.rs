//! What every stream of events keeps to, whatever the input.

use harmony_stream::{Event, Policy};

use super::drive::{Blob, Outcome, Owned, finish};

/// Panics with the events where the contract is broken.
pub(crate) fn check(events: &[Owned], transcript: &Blob, policy: Policy) {
    let context = || format!("{transcript:?}\n{events:#?}");
    one_finish(events).and_then(|()| order(events)).and_then(|()| calls(events)).unwrap_or_else(|broken| {
        panic!("{broken}: {}", context());
    });
    let kept = match policy {
        Policy::Verbatim => verbatim(events, transcript),
        _ => recover(events),
    };
    kept.and_then(|()| counts(events)).unwrap_or_else(|broken| panic!("{broken}: {}", context()));
}

type Kept = Result<(), &'static str>;

fn must(holds: bool, broken: &'static str) -> Kept {
    if holds { Ok(()) } else { Err(broken) }
}

fn one_finish(events: &[Owned]) -> Kept {
    let count = events.iter().filter(|event| matches!(event, Event::Finish(_))).count();
    must(count == 1 && matches!(events.last(), Some(Event::Finish(_))), "one Finish, the last event")
}

/// Messages do not overlap, calls lie in messages, reasoning and arguments where they belong.
fn order(events: &[Owned]) -> Kept {
    let (mut message, mut call) = (false, None);
    for event in events {
        match event {
            Event::MessageStart { .. } => {
                must(!message, "a message begins in a message")?;
                message = true;
            }
            Event::MessageEnd { .. } => {
                must(message && call.is_none(), "a message ends that is not open")?;
                message = false;
            }
            Event::ToolCallStart { index, .. } => {
                must(message && call.is_none(), "a call begins outside of a message")?;
                call = Some(index);
            }
            Event::ToolCallArguments { index, text } => {
                must(call == Some(index), "arguments of no open call")?;
                must(!text.0.is_empty(), "an empty piece")?;
            }
            Event::ToolCallEnd { index, .. } => {
                must(call.take() == Some(index), "a call ends that is not open")?;
            }
            Event::Content { text } => {
                must(call.is_none(), "content in a call")?;
                must(!text.0.is_empty(), "an empty piece")?;
            }
            Event::Reasoning { text } => {
                must(message && call.is_none(), "reasoning outside of a message")?;
                must(!text.0.is_empty(), "an empty piece")?;
            }
            Event::Rollback => (message, call) = (false, None),
            Event::Finish(_) => must(!message && call.is_none(), "the stream ends in a message")?,
            _ => {}
        }
    }
    Ok(())
}

/// Calls are counted from 0, and a call's end has what its pieces had.
fn calls(events: &[Owned]) -> Kept {
    let (mut next, mut pieces) = (0, Vec::<u8>::new());
    for event in events {
        match event {
            Event::ToolCallStart { index, name, recipient } => {
                must(*index == next, "calls are counted one by one")?;
                must(
                    !name.0.is_empty() && recipient.0.ends_with(&name.0),
                    "the name is the end of the recipient",
                )?;
                next += 1;
                pieces.clear();
            }
            Event::ToolCallArguments { text, .. } => pieces.extend(&text.0),
            Event::ToolCallEnd { arguments, .. } => {
                must(arguments.0 == pieces, "the end of a call has other arguments")?;
            }
            Event::Rollback => next = 0,
            _ => {}
        }
    }
    Ok(())
}

/// All or nothing: a failed stream is its transcript, and a rollback is sent only where it takes something back.
fn verbatim(events: &[Owned], transcript: &Blob) -> Kept {
    let failed = finish(events).failure.is_some();
    must(
        !events.iter().any(|event| matches!(event, Event::Deviation { .. })),
        "a deviation is a failure here",
    )?;
    let Some(at) = events.iter().position(|event| *event == Event::Rollback) else {
        let body = &events[..events.len() - 1];
        let unchanged = is_prefix(body, transcript) && Outcome::of_events(body).content == *transcript;
        return must(!failed || unchanged, "a failed stream is its transcript and nothing else");
    };
    let (before, after) = (&events[..at], &events[at + 1..]);
    must(failed, "a rollback without a failure")?;
    must(!is_prefix(before, transcript), "a rollback that takes nothing back")?;
    let only_content = after.iter().all(|event| matches!(event, Event::Content { .. } | Event::Finish(_)));
    must(only_content, "after a rollback there is content only")?;
    must(Outcome::of_events(after).content == *transcript, "the transcript follows a rollback")
}

/// Content that begins the transcript, and nothing else.
fn is_prefix(events: &[Owned], transcript: &Blob) -> bool {
    events.iter().all(|event| matches!(event, Event::Content { .. }))
        && transcript.0.starts_with(&Outcome::of_events(events).content.0)
}

fn recover(events: &[Owned]) -> Kept {
    let finish = finish(events);
    must(finish.failure.is_none(), "recover never fails")?;
    must(!events.contains(&Event::Rollback), "recover never takes back")?;
    let repairs = events.iter().filter(|event| matches!(event, Event::Deviation { .. })).count();
    must(finish.deviations == repairs as u64, "every deviation is counted")
}

/// Body bytes by channel are all the bytes there are; a failed stream has no channels.
fn counts(events: &[Owned]) -> Kept {
    let finish = finish(events);
    let outcome = Outcome::of_events(events);
    let arguments: usize = outcome.calls.iter().map(|call| call.1.0.len()).sum();
    let total = outcome.content.0.len() + outcome.reasoning.0.len() + arguments;
    let bytes = finish.bytes;
    let counted = bytes.analysis + bytes.commentary + bytes.r#final + bytes.other;
    must(counted == total, "bytes by channel add up to the text")
}
