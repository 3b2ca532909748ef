//! One-shot parsing: the same machine over the caller's text.

use memchr::memmem;

use crate::machine::Machine;
use crate::parsed::{Fold, Spans};
use crate::{Control, Options, Parsed, Text, parser};

/// Splits a whole text with the default options. Nothing is copied where one stretch of the text suffices.
///
/// ```
/// let parsed = harmony_stream::parse("<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Yes.");
/// assert_eq!((&*parsed.reasoning, &*parsed.content), ("Hm.", "Yes."));
/// assert!(!parsed.failed());
/// ```
pub fn parse<T: Text + ?Sized>(text: &T) -> Parsed<'_, T> {
    parse_with(text, Options::default())
}

/// Splits a whole text. A limit on bytes has no effect, since nothing is kept. With
/// [`Input::Tokens`](crate::Input::Tokens) no control token can come, so all of it is text.
///
/// O(length of the text), and total: every text has a result.
pub fn parse_with<T: Text + ?Sized>(text: &T, options: Options) -> Parsed<'_, T> {
    let bytes = text.bytes();
    let mut machine = Machine::new(options, T::UTF8);
    let mut fold = Fold::<Spans>::default();
    let mut read = 0;
    // In stretches, so that the queue stays small however many events there are.
    while read < bytes.len() {
        let to = (read + STRETCH).min(bytes.len());
        let last = to == bytes.len();
        // Where a stretch ends a character may be cut, even in a `str`.
        read = parser::read(&mut machine, &bytes[..to], read, T::UTF8 && last, last);
        drain(&mut machine, &mut fold);
    }
    machine.end(bytes);
    drain(&mut machine, &mut fold);
    fold.parsed(|spans| spans.text(text))
}

/// Bytes between two looks at the queue: far more than a marker or a character, so that each makes progress.
const STRETCH: usize = 1 << 16;

fn drain(machine: &mut Machine, fold: &mut Fold<Spans>) {
    while let Some((event, _)) = machine.next(|span| span) {
        fold.add(event);
    }
}

/// A cheap look whether a text may hold a harmony message: `<|message|>` behind `<|channel|>` or `<|start|>`.
///
/// Only [`parse`] knows whether it does. O(length of the text).
///
/// ```
/// use harmony_stream::is_harmony;
/// assert!(is_harmony("<|channel|>final<|message|>Yes."));
/// assert!(!is_harmony("The marker <|message|> comes behind <|channel|>."));
/// ```
pub fn is_harmony<T: Text + ?Sized>(text: &T) -> bool {
    let text = text.bytes();
    let behind = |from: usize, control: Control| {
        memmem::find(&text[from..], control.literal().as_bytes())
            .map(|at| from + at + control.literal().len())
    };
    [Control::Channel, Control::Start]
        .into_iter()
        .any(|opening| behind(0, opening).is_some_and(|from| behind(from, Control::Message).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::Cow;
    use alloc::format;

    /// Longer than a stretch, so that each text comes as several events.
    #[test]
    fn nothing_is_copied_where_one_stretch_of_the_text_suffices() {
        let long = "It rains. ".repeat(STRETCH / 4);
        let text = format!(
            "<|channel|>analysis<|message|>{long}<|end|><|start|>assistant<|channel|>commentary \
             to=functions.f<|message|>{{\"a\":\"{long}\"}}<|call|><|start|>assistant<|channel|>final<|message|>{long}"
        );
        for options in [Options::default(), Options::lenient()] {
            let turn = parse_with(&*text, options);
            let call = &turn.tool_calls[0];
            for part in [&turn.reasoning, &turn.content, &call.name, &call.recipient, &call.arguments] {
                assert!(matches!(part, Cow::Borrowed(_)));
            }
            assert!(matches!(parse_with(text.as_bytes(), options).content, Cow::Borrowed(_)));
            assert!(matches!(parse_with("", options).reasoning, Cow::Borrowed(_)));
            let second = "<|end|><|start|>assistant<|channel|>final<|message|>b";
            assert!(matches!(parse_with(&*(text.clone() + second), options).content, Cow::Owned(_)));
        }
        let failed = "<|channel|>final<|message|>a<|end|><|end|>";
        assert!(matches!(parse(failed).content, Cow::Borrowed(_)));
    }
}
