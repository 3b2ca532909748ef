//! Messages that are written as harmony text come back as they were.

use arbitrary::{Arbitrary, Unstructured};
use harmony_stream::{Options, Policy, escape, parse_with, unescape};

/// A message before it is written.
#[derive(Arbitrary, Debug)]
enum Message {
    Analysis(String),
    Commentary(String),
    Final(String),
    Call { name: Name, object: Vec<(String, String)>, role: bool, constrain: bool },
}

/// A tool's name.
#[derive(Debug)]
struct Name(String);

impl<'a> Arbitrary<'a> for Name {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Name> {
        const FIRST: &[u8] = b"abcxyzABCXYZ_";
        const REST: &[u8] = b"abcxyzABCXYZ_0189.-";
        let mut name = String::from(char::from(*u.choose(FIRST)?));
        for _ in 0..u.int_in_range(0..=12)? {
            name.push(char::from(*u.choose(REST)?));
        }
        Ok(Name(name))
    }
}

/// Writes, parses under both policies, compares.
pub fn check(data: &[u8]) {
    let Ok(messages) = Vec::<Message>::arbitrary(&mut Unstructured::new(data)) else { return };
    if messages.is_empty() {
        return;
    }
    let (text, expected) = write(&messages);
    for policy in [Policy::Verbatim, Policy::Recover] {
        let parsed = parse_with(&text[..], Options::default().policy(policy));
        assert!(!parsed.failed(), "{text}: {:?}", parsed.finish);
        assert_eq!(parsed.finish.deviations, 0, "{text}");
        assert_eq!(*parsed.content, expected.content, "{text}");
        assert_eq!(*parsed.reasoning, expected.reasoning, "{text}");
        let calls: Vec<_> =
            parsed.tool_calls.iter().map(|c| (c.name.to_string(), c.arguments.to_string())).collect();
        assert_eq!(calls, expected.calls, "{text}");
    }
}

#[derive(Default)]
struct Expected {
    content: String,
    reasoning: String,
    calls: Vec<(String, String)>,
}

fn write(messages: &[Message]) -> (String, Expected) {
    let mut text = String::new();
    let mut expected = Expected::default();
    for (i, message) in messages.iter().enumerate() {
        let last = i + 1 == messages.len();
        if i > 0 {
            text.push_str("<|start|>assistant");
        }
        match message {
            Message::Analysis(body) => {
                plain(&mut text, "analysis", body, "<|end|>");
                expected.reasoning.push_str(&escape(body));
            }
            Message::Commentary(body) => {
                plain(&mut text, "commentary", body, if last { "<|return|>" } else { "<|end|>" });
                expected.content.push_str(&escape(body));
            }
            Message::Final(body) => {
                plain(&mut text, "final", body, if last { "<|return|>" } else { "<|end|>" });
                expected.content.push_str(&escape(body));
            }
            Message::Call { name, object, role, constrain } => {
                let arguments = arguments(object);
                call(&mut text, name, &arguments, *role && i > 0, *constrain);
                expected.calls.push((name.0.clone(), arguments));
            }
        }
    }
    (text, expected)
}

fn plain(text: &mut String, channel: &str, body: &str, end: &str) {
    assert_eq!(unescape(&escape(body)), body);
    text.push_str(&format!("<|channel|>{channel}<|message|>{}{end}", escape(body)));
}

/// The recipient stands in the role or behind the channel. Markers in strings need no escape here.
fn call(text: &mut String, name: &Name, arguments: &str, role: bool, constrain: bool) {
    let recipient = format!(" to=functions.{}", name.0);
    let format = if constrain { " <|constrain|>json" } else { "" };
    let (before, behind) = if role { (&recipient[..], "") } else { ("", &recipient[..]) };
    text.push_str(&format!("{before}<|channel|>commentary{behind}{format}<|message|>{arguments}<|call|>"));
}

fn arguments(object: &[(String, String)]) -> String {
    let mut map = serde_json::Map::new();
    for (key, value) in object {
        map.insert(key.clone(), value.clone().into());
    }
    serde_json::Value::Object(map).to_string()
}
