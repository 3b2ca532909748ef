//! Headers that never reach `<|message|>`, sentence by sentence of the recover policy: what is text, where it goes,
//! what is dropped, and when it is a call.

use harmony_stream::{Event, Options, Parser, Routing, Start};

/// What comes of a text: content, reasoning, calls as `name(arguments)`, dropped text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    content: String,
    reasoning: String,
    calls: Vec<String>,
    dropped: Vec<String>,
}

fn parse(text: &str, routing: Routing) -> Outcome {
    parse_with(text, Options::lenient().routing(routing))
}

fn parse_with(text: &str, options: Options) -> Outcome {
    let mut parser = Parser::<str>::new(options);
    let mut outcome = Outcome::default();
    let mut name = String::new();
    let mut add = |event: Event<&str>| match event {
        Event::Content { text } => outcome.content.push_str(text),
        Event::Reasoning { text } => outcome.reasoning.push_str(text),
        Event::ToolCallStart { name: tool, .. } => name = tool.to_owned(),
        Event::ToolCallEnd { arguments, .. } => outcome.calls.push(format!("{name}({arguments})")),
        Event::Deviation { dropped, .. } if !dropped.is_empty() => outcome.dropped.push(dropped.to_owned()),
        _ => {}
    };
    parser.push(text).expect("no limit").for_each(&mut add);
    parser.finish().expect("open").for_each(&mut add);
    outcome
}

/// Behind the prompt's `<|start|>assistant`.
fn prompted(text: &str) -> Outcome {
    parse_with(text, Options::lenient().start(Start::AssistantHeader))
}

fn any(text: &str) -> Outcome {
    parse(text, Routing::AnyRecipient)
}

fn functions(text: &str) -> Outcome {
    parse(text, Routing::CommentaryFunctions)
}

fn reasoning(text: &str, dropped: &[&str]) -> Outcome {
    let dropped = dropped.iter().map(|&text| text.to_owned()).collect();
    Outcome { reasoning: text.to_owned(), dropped, ..Outcome::default() }
}

fn call(text: &str) -> Outcome {
    Outcome { calls: vec![text.to_owned()], ..Outcome::default() }
}

#[test]
fn marks_are_reported_and_words_behind_them_go() {
    assert_eq!(any("<|channel|>commentary? Which?<|end|>"), reasoning("Which?", &["?"]));
    assert_eq!(any("<|channel|>commentary? to=x json Which?<|end|>"), reasoning("Which?", &["?"]));
    assert_eq!(
        any("<|channel|>commentary?? final? code Which?<|end|>"),
        reasoning("Which?", &["?", "?", "?"])
    );
    assert_eq!(any("<|channel|>commentary? jsonx<|end|>"), reasoning("jsonx", &["?"]));
    // What is glued to a word begins the text, as it does without a mark.
    assert_eq!(any("<|channel|>commentary?json{1}<|end|>"), reasoning("{1}", &["?"]));
    assert_eq!(any("<|channel|>commentary json{1}<|end|>"), reasoning("{1}", &[]));
    // Channel words may be glued to each other.
    assert_eq!(any("<|channel|>commentarycommentary Need it<|end|>"), reasoning("Need it", &[]));
    assert_eq!(any("<|channel|>commentary?commentaryfinal it<|end|>"), reasoning("it", &["?"]));
    assert_eq!(
        any("<|channel|>commentary?commentaryfinally it<|end|>"),
        reasoning("commentaryfinally it", &["?"])
    );
    // No call is lost behind them.
    let mut expected = call("f({\"a\":1})");
    assert_eq!(any("<|channel|>commentary commentary to=functions.f {\"a\":1}<|call|>"), expected);
    expected.dropped = vec!["?".to_owned()];
    assert_eq!(any("<|channel|>commentary? to=functions.f {\"a\":1}<|call|>"), expected);
}

#[test]
fn a_second_format_word_is_text() {
    assert_eq!(any("<|channel|>commentary json code it<|end|>"), reasoning("code it", &[]));
    assert_eq!(any("<|channel|>commentary json? code it<|end|>"), reasoning("code it", &["?"]));
}

#[test]
fn roles_lead_in_the_role_slot_only() {
    assert_eq!(any("<|start|>assistant user Hm.<|end|>"), reasoning("Hm.", &[]));
    assert_eq!(any("<|channel|>analysis user Hm.<|end|>"), reasoning("user Hm.", &[]));
}

#[test]
fn a_recipient_counts_as_the_routing_says() {
    let object = "{\"a\":1}";
    assert_eq!(any("<|channel|>commentary to=python {\"a\":1}<|call|>"), call("python({\"a\":1})"));
    assert_eq!(functions("<|channel|>commentary to=python {\"a\":1}<|call|>"), reasoning(object, &[]));
    assert_eq!(functions("<|channel|>commentary to=functions.f {\"a\":1}<|call|>"), call("f({\"a\":1})"));
    assert_eq!(any("<|channel|>functions.f {\"a\":1}<|call|>"), call("f({\"a\":1})"));
    assert_eq!(functions("<|channel|>functions.f {\"a\":1}<|call|>"), reasoning(object, &[]));
}

#[test]
fn functions_without_a_name_is_text() {
    for no_name in ["functions.", "functions.-x", "functions.9", "functions.Ä"] {
        let text = format!("{no_name} {{\"a\":1}}");
        assert_eq!(any(&format!("<|channel|>commentary {text}<|end|>")), reasoning(&text, &[]));
        assert_eq!(any(&format!("<|channel|>{text}<|end|>")), reasoning(&text, &[]));
    }
}

#[test]
fn a_recipient_in_the_constraint_counts_with_any_recipient_only() {
    let text = "<|channel|>commentary <|constrain|>json to=functions.f {\"a\":1}<|call|>";
    assert_eq!(any(text), call("f({\"a\":1})"));
    assert_eq!(functions(text), reasoning("{\"a\":1}", &[]));
    // A bare word there is never one.
    assert_eq!(
        any("<|channel|>commentary <|constrain|>functions.f {\"a\":1}<|call|>"),
        reasoning("{\"a\":1}", &[])
    );
}

#[test]
fn the_last_channel_with_text_gives_it() {
    let dropped = |text: &str| reasoning("Two.", &[text]);
    assert_eq!(any("<|channel|>analysis One.<|channel|>analysis Two.<|end|>"), dropped("One."));
    assert_eq!(any("<|start|>assistant One.<|channel|>analysis Two.<|end|>"), dropped("One."));
    assert_eq!(any("<|channel|>analysis Two.<|channel|>analysis<|end|>"), reasoning("Two.", &[]));
    assert_eq!(any("<|channel|>analysis<|constrain|>json Two.<|end|>"), reasoning("Two.", &[]));
}

#[test]
fn text_in_a_slot_and_in_its_constraint_is_no_call() {
    let text = "<|channel|>commentary to=x {\"a\":<|constrain|>1}<|call|>";
    assert_eq!(any(text), reasoning("{\"a\":1}", &[]));
}

#[test]
fn the_end_of_the_stream_cuts_a_word() {
    let cut = |text: &str| Outcome { dropped: vec![text.to_owned()], ..Outcome::default() };
    assert_eq!(any("<|start|>assis"), cut("assis"));
    assert_eq!(any("<|channel|>comm"), cut("comm"));
    assert_eq!(any("<|channel|>commentary to="), cut("to="));
    assert_eq!(any("<|channel|>commentary <|constrain|>js"), cut("js"));
    // A role may be cut in the role slot only, and a terminator cuts nothing.
    assert_eq!(any("<|channel|>analysis assis"), reasoning("assis", &[]));
    assert_eq!(any("<|channel|>analysis comm<|end|>"), reasoning("comm", &[]));
    // Only where the stream ends in it, and where it could still lead.
    let content = |text: &str| Outcome { content: text.to_owned(), ..Outcome::default() };
    assert_eq!(any("<|channel|>commentary jso<|constrain|>"), content("jso"));
    assert_eq!(any("<|start|>assis<|channel|>"), content("assis"));
    assert_eq!(any("<|channel|>final fin"), content("fin"));
    assert_eq!(any("<|channel|>final json co"), content("co"));
}

#[test]
fn text_goes_on_with_the_prompts_word() {
    let content = |text: &str| Outcome { content: text.to_owned(), ..Outcome::default() };
    for text in
        ["final answer: 4", "json is a format", "user data is safe", "fin", "to=functions.f {\"a\":1}"]
    {
        assert_eq!(prompted(text), content(text));
        assert_eq!(prompted(&format!("{text}<|return|>")), content(text));
    }
    assert_eq!(prompted(": Yes.<|return|>"), content(": Yes."));
    // Behind white space words are words again.
    assert_eq!(prompted(" final answer: 4<|return|>"), content("answer: 4"));
    assert_eq!(prompted(" to=f {\"a\":1}<|call|>"), call("f({\"a\":1})"));
    let analysis = "<|channel|>analysis<|message|>{\"a\":1}<|call|>";
    assert_eq!(prompted(&format!("to=python{analysis}")), reasoning("{\"a\":1}", &[]));
    assert_eq!(prompted(&format!(" to=python{analysis}")), call("python({\"a\":1})"));
    assert_eq!(prompted(&format!("to=functions.f{analysis}")), call("f({\"a\":1})"));
}

#[test]
fn a_letter_is_of_category_l() {
    // A combining mark and a letter in a circle are none, so they begin the text.
    assert_eq!(any("<|channel|>commentary json\u{93e} x<|end|>"), reasoning("\u{93e} x", &[]));
    assert_eq!(any("<|start|>assistantⒶ x<|end|>"), reasoning("Ⓐ x", &[]));
    assert_eq!(any("<|channel|>commentary json語 x<|end|>"), reasoning("json語 x", &[]));
}
