//! Each kind of deviation by a small input: where the verbatim policy fails with it and what it says, and that the
//! recover policy reports it, at the same place but where a marker is known by what is behind it.

use harmony_stream::DeviationKind::{self, *};
use harmony_stream::{Control, Event, Failure, Finish, Input, Options, Parser, Policy, parse_with};

/// The offset at which an input fails, and why.
struct Case {
    input: &'static str,
    kind: DeviationKind,
    offset: usize,
    /// Where the recover policy reports it.
    reported: usize,
}

const fn case(input: &'static str, kind: DeviationKind, offset: usize) -> Case {
    Case { input, kind, offset, reported: offset }
}

/// Markers are spelled in the text.
const TEXT: [Case; 41] = [
    case("", NoMessage, 0),
    case("Noon.", NoMessage, 5),
    case(" \n", NoMessage, 2),
    case("<|channel|>commentary to=functions.f<|message|>{}<|call|> x", StrayText, 58),
    case("<|end|>", StrayTerminator, 0),
    case("Noon.<|return|>", StrayTerminator, 5),
    case("<|channel|>final<|message|>a<|end|><|end|>", StrayTerminator, 35),
    case("<|channel|>commentary to=functions.f<|message|>{}<|call|> <|end|>", StrayTerminator, 58),
    case("<|constrain|>json", StrayConstrain, 0),
    case("<|channel|>final<|message|>a<|end|> <|constrain|>json", StrayConstrain, 36),
    case("<|message|>a", MissingHeader, 0),
    case("<|channel|>commentary to=functions.f<|message|>{}<|call|><|message|>a", MissingHeader, 57),
    case("<|start|><|start|>assistant<|channel|>final<|message|>a", RepeatedStart, 9),
    case("<|start|> <|start|>assistant<|channel|>final<|message|>a", RepeatedStart, 10),
    case("<|channel|>final<|channel|>final<|message|>a", HeaderOrder, 16),
    case("<|start|>assistant<|constrain|>json<|message|>a", HeaderOrder, 18),
    case("<|channel|>final<|constrain|>json<|channel|>final<|message|>a", HeaderOrder, 33),
    case("<|channel|>thoughts<|message|>a", UnknownChannel, 11),
    // It fails with the letter that makes it no channel; the repair is that of the word.
    Case { reported: 12, ..case("<|channel|> finale<|message|>a", UnknownChannel, 17) },
    case("<|channel|><|message|>a", UnknownChannel, 11),
    Case { reported: 11, ..case("<|channel|>fin<|message|>a", UnknownChannel, 14) },
    case("<|start|>assistant", StrandedHeader, 18),
    case("<|channel|>final<|end|>", StrandedHeader, 16),
    case("<|start|>assistant<|start|>", StrandedHeader, 18),
    case("<|channel|>final<|message|>a<|channel|>final<|message|>b", ChannelInBody, 28),
    // What is behind a marker tells that it is none; the repair is the marker's.
    Case { reported: 28, ..case("<|channel|>final<|message|>a<|start|><|end|>", DroppedMarker, 37) },
    Case { reported: 28, ..case("<|channel|>final<|message|>a<|constrain|><|end|>", DroppedMarker, 41) },
    Case { reported: 28, ..case("<|channel|>final<|message|>a<|constrain|> \n", DroppedMarker, 43) },
    case("<|channel|>final<|message|>a<|start|>", StrandedHeader, 37),
    case("<|channel|>final<|message|>a<|message|>b", QuotedMarker, 28),
    Case {
        reported: 50,
        ..case("<|channel|>final<|message|>a<|start|>b<|message|>c<|end|>d", QuotedMarker, 57)
    },
    Case {
        reported: 50,
        ..case("<|channel|>final<|message|>a<|start|>b<|message|>c<|end|>\u{a0}\nd", QuotedMarker, 60)
    },
    Case {
        reported: 50,
        ..case("<|channel|>final<|message|>a<|start|>b<|message|>c<|start|>d<|end|>", QuotedMarker, 60)
    },
    case("<|channel|>final<|message|><|message|>a", RepeatedMessage, 27),
    case("<|channel|>analysis<|message|>a", Unterminated, 31),
    case("<|channel|>final<|message|>a<|end|>b", Unterminated, 36),
    case("<|channel|>commentary to=functions.f<|message|>{\"a\":x}<|call|>", MalformedArguments, 52),
    case("<|channel|>commentary to=functions.f<|message|><|call|>", MalformedArguments, 47),
    case("<|channel|>commentary to=functions.f<|message|>{\"a\":", IncompleteArguments, 52),
    case("<|channel|>commentary to=functions.f<|message|>{}<|end|>", WrongTerminator, 49),
    case("<|channel|>commentary to=functions.f<|message|>{} ", WrongTerminator, 50),
];

/// Markers are control tokens, so none of them is a quotation.
const TOKENS: [Case; 8] = [
    case("<|channel|>final<|message|>a<|end|>b", StrayText, 35),
    case("<|channel|>final<|message|>a<|message|>b", DroppedMarker, 28),
    case("<|channel|>final<|message|>a<|constrain|>b", DroppedMarker, 28),
    case("<|channel|>final<|message|>a<|channel|>final<|message|>", ChannelInBody, 28),
    case("<|channel|>final<|message|>a<|start|>b<|end|>", StrandedHeader, 38),
    case("<|channel|>commentary to=functions.f<|message|>{\"a\":\"<|call|>\"}", MalformedArguments, 53),
    case("<|channel|>final<|message|>a<|end|><|call|>", StrayTerminator, 35),
    case("", NoMessage, 0),
];

/// What the verbatim policy takes for another deviation, or for none: inputs for the recover policy.
const RECOVER_ONLY: [Case; 3] = [
    case("<|channel|>analysis<|message|>a<|end|>assistant<|channel|>final<|message|>b", MissingStart, 38),
    case("<|channel|>analysis a<|channel|>final b<|end|>", DroppedText, 20),
    case("<|channel|>analysis <LONG><|message|>b<|end|>", LongHeader, 1035),
];

const MESSAGES: [(DeviationKind, &str); 20] = [
    (NoMessage, "the stream ended without a harmony message"),
    (StrayText, "text stands where a message should begin"),
    (StrayTerminator, "a terminator stands where no message is open"),
    (StrayConstrain, "<|constrain|> stands outside a header"),
    (MissingHeader, "<|message|> has no header before it"),
    (MissingStart, "a header begins without <|start|>"),
    (RepeatedStart, "<|start|> is repeated"),
    (HeaderOrder, "the fields of the header are doubled or out of order"),
    (UnknownChannel, "the header names no known channel"),
    (StrandedHeader, "the header never reaches <|message|>"),
    (LongHeader, "the header has more than 1,024 bytes of text"),
    (DroppedText, "text in the header belongs nowhere"),
    (ChannelInBody, "<|channel|> stands in a body"),
    (DroppedMarker, "a control token in a body stands before no text that it could belong to"),
    (QuotedMarker, "a control token that may not stand in this body is followed by text"),
    (RepeatedMessage, "<|message|> is repeated"),
    (Unterminated, "the stream ended in a body that needs a terminator"),
    (MalformedArguments, "the arguments of the call are no JSON object"),
    (IncompleteArguments, "the stream ended in the arguments of a call"),
    (WrongTerminator, "a complete call is not closed by <|call|>"),
];

/// Pieces of text, each with the control token behind it.
fn tokens(mut input: &str) -> Vec<(&str, Option<Control>)> {
    let mut items = Vec::new();
    loop {
        let marker = |control| input.find(Control::literal(control)).map(|at| (at, control));
        let Some((at, control)) = Control::ALL.into_iter().filter_map(marker).min_by_key(|found| found.0)
        else {
            items.push((input, None));
            return items;
        };
        items.push((&input[..at], Some(control)));
        input = &input[at + control.literal().len()..];
    }
}

/// All deviations of a stream in pieces of `size` bytes, its content, and how it ended.
fn stream(input: &str, size: usize, options: Options) -> (Vec<Failure>, String, Finish) {
    let mut parser = Parser::<[u8]>::new(options);
    for (text, control) in tokens(input) {
        let mut text = text.to_owned();
        let mut control = control;
        if options == options.input(Input::Text) {
            text.push_str(control.take().map_or("", Control::literal));
        }
        for chunk in text.as_bytes().chunks(size) {
            parser.push(chunk).expect("it is open");
        }
        if let Some(control) = control {
            parser.push_control(control).expect("it is open");
        }
    }
    let (mut deviations, mut content, mut end) = (Vec::new(), Vec::new(), None);
    for event in parser.finish().expect("it is open") {
        match event {
            Event::Deviation { kind, offset, .. } => deviations.push(Failure { kind, offset }),
            Event::Content { text } => content.extend_from_slice(text),
            Event::Rollback => content.clear(),
            Event::Finish(finish) => end = Some(finish),
            _ => {}
        }
    }
    (deviations, String::from_utf8(content).expect("UTF-8"), end.expect("a Finish"))
}

fn fails_verbatim(case: &Case, options: Options) {
    let expected = Failure { kind: case.kind, offset: case.offset };
    for size in [1, 2, 3, 5, 1000] {
        let (deviations, content, finish) = stream(case.input, size, options);
        assert_eq!(finish.failure, Some(expected), "{:?} in pieces of {size}", case.input);
        assert_eq!((deviations, &content[..]), (Vec::new(), case.input));
    }
    let message = MESSAGES.iter().find(|(kind, _)| *kind == case.kind).expect("it has a message").1;
    assert_eq!(expected.to_string(), format!("at byte {}: {message}", case.offset));
}

fn is_reported(input: &str, case: &Case, options: Options) {
    let expected = Failure { kind: case.kind, offset: case.reported };
    for size in [1, 2, 3, 5, 1000] {
        let (deviations, _, finish) = stream(input, size, options.policy(Policy::Recover));
        assert!(deviations.contains(&expected), "{input:?} in pieces of {size}: {deviations:?}");
        assert_eq!((finish.failure, finish.deviations), (None, deviations.len() as u64));
    }
}

#[test]
fn each_kind_fails_where_it_is_proved_and_is_reported_there() {
    for case in &TEXT {
        fails_verbatim(case, Options::default());
        is_reported(case.input, case, Options::default());
        let parsed = parse_with(case.input, Options::default());
        let failure = Failure { kind: case.kind, offset: case.offset };
        assert_eq!(parsed.finish.failure, Some(failure), "{:?} whole", case.input);
    }
}

#[test]
fn the_same_with_token_input() {
    for case in &TOKENS {
        fails_verbatim(case, Options::default().input(Input::Tokens));
        is_reported(case.input, case, Options::default().input(Input::Tokens));
    }
}

#[test]
fn three_kinds_are_the_recover_policys_own() {
    for case in &RECOVER_ONLY {
        let input = case.input.replace("<LONG>", &"a".repeat(1100));
        is_reported(&input, case, Options::default());
        let (_, _, finish) = stream(&input, 1000, Options::default());
        assert_ne!(finish.failure.map(|failure| failure.kind), Some(case.kind), "{input:?}");
    }
    let only = RECOVER_ONLY.map(|case| case.kind);
    assert!(TEXT.iter().chain(&TOKENS).all(|case| !only.contains(&case.kind)));
}

#[test]
fn no_kind_is_missing() {
    let cases = || TEXT.iter().chain(&RECOVER_ONLY);
    for kind in DeviationKind::ALL {
        assert!(cases().any(|case| case.kind == kind), "{kind:?} has no case");
    }
    assert_eq!(MESSAGES.map(|(kind, _)| kind), DeviationKind::ALL);
    for (kind, message) in MESSAGES {
        assert_eq!(kind.message(), message);
    }
}

/// Names are the snake case of what the kinds are called.
#[test]
fn names_are_those_of_json() {
    for kind in DeviationKind::ALL {
        let mut name = String::new();
        for c in format!("{kind:?}").chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(c.to_lowercase());
        }
        assert_eq!(kind.name(), name);
    }
}

/// Nothing fails before its offset is in, since what comes before might still have parsed; and what is there fails at
/// once, be it a character or a control token.
#[test]
fn each_fails_with_its_offset() {
    for case in &TEXT {
        let there = &case.input[case.offset..];
        let marker =
            Control::ALL.into_iter().map(Control::literal).find(|literal| there.starts_with(literal));
        let character = there.chars().next().map(char::len_utf8);
        let proof = marker.map(str::len).or(character).map(|length| case.offset + length);
        let mut parser = Parser::<str>::new(Options::default());
        for (at, c) in case.input.char_indices() {
            let end = at + c.len_utf8();
            parser.push(&case.input[at..end]).expect("it is open");
            let expected = proof.is_some_and(|proof| proof <= end);
            assert_eq!(parser.summary().failure.is_some(), expected, "{:?} at {at}", case.input);
        }
    }
}
