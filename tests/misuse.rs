//! Bad use is an error that says what is wrong, and changes nothing.

use harmony_stream::{Control, Error, Event, Finish, Input, Options, Parser, Policy};

fn owned(event: Event<&str>) -> Event<String> {
    event.map(str::to_owned)
}

/// Everything a caller can see, now and after the end of the stream. The parser itself goes on.
#[derive(Debug, PartialEq)]
struct View {
    transcript: String,
    held: usize,
    finished: bool,
    summary: Finish,
    waiting: Vec<Event<String>>,
    rest: Vec<Event<String>>,
}

fn view(parser: &Parser<str>) -> View {
    let mut waiting = parser.clone();
    let mut ended = parser.clone();
    if !ended.finished() {
        ended.finish().expect("it is open");
    }
    View {
        transcript: parser.transcript().to_owned(),
        held: parser.held(),
        finished: parser.finished(),
        summary: parser.summary(),
        waiting: waiting.events().map(owned).collect(),
        rest: ended.events().map(owned).collect(),
    }
}

/// `bad` is refused with `error`, and the parser is what it was.
fn refused(parser: &mut Parser<str>, error: Error, bad: impl FnOnce(&mut Parser<str>) -> Result<(), Error>) {
    let before = view(parser);
    assert_eq!(bad(parser), Err(error));
    assert_eq!(view(parser), before);
}

fn push(text: &str) -> impl FnOnce(&mut Parser<str>) -> Result<(), Error> + '_ {
    move |parser| parser.push(text).map(drop)
}

fn push_control(control: Control) -> impl FnOnce(&mut Parser<str>) -> Result<(), Error> {
    move |parser| parser.push_control(control).map(drop)
}

fn finish(parser: &mut Parser<str>) -> Result<(), Error> {
    parser.finish().map(drop)
}

const BEGUN: [&str; 6] = [
    "",
    " ",
    "Hello",
    "<|channel|>fin",
    "<|channel|>final<|message|>Noon<|en",
    "<|channel|>commentary to=functions.f<|message|>{\"a\":1} ",
];

fn policies() -> [Options; 2] {
    [Options::default(), Options::default().policy(Policy::Recover)]
}

#[test]
fn nothing_can_be_pushed_after_the_end() {
    for options in policies() {
        for begun in BEGUN {
            let mut parser = Parser::<str>::new(options);
            parser.push(begun).expect("it is open");
            parser.finish().expect("it is open");
            refused(&mut parser, Error::Finished, push("more"));
            refused(&mut parser, Error::Finished, push(""));
            refused(&mut parser, Error::Finished, finish);
            parser.events().for_each(drop);
            refused(&mut parser, Error::Finished, push("<|end|>"));
            refused(&mut parser, Error::Finished, finish);
        }
    }
}

#[test]
fn after_a_reset_it_can_be_pushed_again() {
    let mut parser = Parser::<str>::new(Options::default());
    parser.finish().expect("it is open");
    refused(&mut parser, Error::Finished, push("more"));
    parser.reset();
    assert_eq!(parser.push("more").expect("it is open").count(), 1);
    parser.finish().expect("it is open");
}

#[test]
fn control_tokens_are_refused_where_they_come_as_text() {
    for options in policies() {
        for begun in BEGUN {
            for control in Control::ALL {
                let mut parser = Parser::<str>::new(options);
                parser.push(begun).expect("it is open");
                refused(&mut parser, Error::NotTokens, push_control(control));
                parser.push(control.literal()).expect("as text it is allowed");
                parser.finish().expect("it is open");
                refused(&mut parser, Error::NotTokens, push_control(control));
            }
        }
    }
}

#[test]
fn control_tokens_are_refused_after_the_end() {
    let mut parser = Parser::<str>::new(Options::default().input(Input::Tokens));
    parser.push_control(Control::Channel).expect("it is open");
    parser.finish().expect("it is open");
    refused(&mut parser, Error::Finished, push_control(Control::End));
    refused(&mut parser, Error::Finished, push("x"));
}

#[test]
fn the_limit_is_the_last_length_that_is_taken() {
    for options in policies() {
        for limit in [0, 1, 5, 31, 32] {
            let text = &"<|channel|>final<|message|>Noon."[..limit];
            let error = Error::Limit { limit };
            let mut parser = Parser::<str>::new(options.max_bytes(limit));
            refused(&mut parser, error, push(&format!("{text}x")));
            parser.push(text).expect("it is as long as the limit");
            refused(&mut parser, error, push("x"));
            refused(&mut parser, error, push(&"x".repeat(1 << 16)));
            parser.push("").expect("nothing is never too much");
            assert_eq!(parser.transcript(), text);
            parser.finish().expect("the end takes no room");
        }
    }
}

#[test]
fn what_fits_is_taken_after_a_refusal() {
    let mut parser = Parser::<str>::new(Options::default().max_bytes(30));
    parser.push("<|channel|>final<|message|>").expect("27 bytes");
    let error = Error::Limit { limit: 30 };
    refused(&mut parser, error, push("Noon"));
    let piece = parser.push("No.").expect("30 bytes").map(owned).last();
    assert_eq!(piece, Some(Event::Content { text: "No.".to_owned() }));
    refused(&mut parser, error, push("x"));
    assert_eq!(parser.finish().expect("it is open").count(), 2);
    parser.reset();
    parser.push(&"x".repeat(30)).expect("the limit is of each stream");
    refused(&mut parser, error, push("x"));
}

#[test]
fn a_control_token_counts_with_its_literal() {
    let limit = "ab<|end|>".len();
    let mut parser = Parser::<str>::new(Options::default().input(Input::Tokens).max_bytes(limit));
    parser.push("ab").expect("it fits");
    refused(&mut parser, Error::Limit { limit }, push_control(Control::Message));
    parser.push_control(Control::End).expect("it fits");
    refused(&mut parser, Error::Limit { limit }, push_control(Control::End));
    assert_eq!(parser.transcript(), "ab<|end|>");
}

/// A refused control token must not settle a character that waits for its rest.
#[test]
fn a_refused_control_token_leaves_half_a_character_waiting() {
    let mut parser = Parser::<[u8]>::new(Options::default().input(Input::Tokens).max_bytes(4));
    assert_eq!(parser.push(&"é".as_bytes()[..1]).expect("it fits").count(), 0);
    assert_eq!(parser.push_control(Control::End).map(drop), Err(Error::Limit { limit: 4 }));
    assert_eq!(parser.held(), 1);
    let events: Vec<_> = parser.push(&"é".as_bytes()[1..]).expect("it fits").collect();
    assert_eq!(events, [Event::Content { text: "é".as_bytes() }]);
}

#[test]
fn no_limit_and_the_largest_are_the_same() {
    let mut parser = Parser::<str>::new(Options::default().max_bytes(usize::MAX));
    parser.push(&"x".repeat(1 << 20)).expect("it is open");
    assert_eq!(parser.transcript().len(), 1 << 20);
}

#[test]
fn errors_say_what_to_do() {
    let texts = [
        (Error::Finished, "the stream is finished; reset the parser to begin another"),
        (Error::NotTokens, "control tokens are read from the text; set Input::Tokens to push them"),
        (Error::Limit { limit: 30 }, "the transcript would pass its limit of 30 bytes"),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
        let _: &dyn std::error::Error = &error;
    }
}
