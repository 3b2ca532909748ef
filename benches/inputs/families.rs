//! Ten families of text, of any length, on which a careless parser is not linear.

// Each user takes what it needs.
#![allow(dead_code)]

/// Texts of one shape.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    begin: &'static str,
    /// Repeated until the text is as long as it should be.
    again: &'static str,
    end: &'static str,
}

impl Family {
    const fn new(name: &'static str, begin: &'static str, again: &'static str, end: &'static str) -> Family {
        Family { name, begin, again, end }
    }

    /// A text of about so many bytes.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let around = self.begin.len() + self.end.len();
        let times = bytes.saturating_sub(around).div_ceil(self.again.len()).max(1);
        [self.begin, &self.again.repeat(times), self.end].concat()
    }
}

const CALL: &str = "<|channel|>commentary to=functions.save <|constrain|>json<|message|>";

pub(crate) const FAMILIES: [Family; 10] = [
    Family::new("long answer", "<|channel|>final<|message|>", "The ferry leaves at nine. ", "<|return|>"),
    Family::new(
        "long reasoning",
        "<|channel|>analysis<|message|>",
        "Which pier? Two, “I think”. ",
        "<|end|>",
    ),
    Family::new(
        "long arguments",
        "<|channel|>commentary to=functions.save<|message|>{\"lines\":[0",
        ",{\"text\":\"a\\tb \\u00e9\",\"n\":[1,-2.5e3,null]}",
        "]}<|call|>",
    ),
    Family::new(
        "quoted <|call|> in a JSON string",
        "<|channel|>commentary to=functions.save<|message|>{\"text\":\"",
        "end with <|call|> ",
        "\"}<|call|>",
    ),
    Family::new(
        "quoted <|end|> in prose",
        "<|channel|>final<|message|>",
        "write <|end|> or so, ",
        "<|return|>",
    ),
    Family::new(
        "many messages",
        "",
        "<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>",
        "<|channel|>final<|message|>Yes.",
    ),
    Family::new("many terminators", "<|channel|>final<|message|>Noon.", "<|end|>", ""),
    Family::new(
        "a huge header",
        "<|start|>assistant<|channel|>commentary ",
        "to=functions.-x ",
        "<|message|>Yes.<|end|>",
    ),
    Family::new(
        "junk before the first marker",
        "",
        "to=functions.f analysis > < |",
        "<|channel|>final<|message|>Yes.",
    ),
    Family::new("nothing but <", "", "<", ""),
];

/// Shapes besides, each of which makes the parser keep or look back at something.
pub(crate) const MORE: [Family; 12] = [
    Family::new("blank text", "", " \u{2003}\n", ""),
    Family::new("white space behind an object", CALL, " ", "{} <|call|>"),
    Family::new(
        "white space in malformed arguments",
        "<|channel|>commentary to=functions.f<|message|>x",
        " ",
        "x",
    ),
    Family::new("doubled channels", "", "<|channel|>final ", "<|message|>Yes."),
    Family::new(
        "a channel too many in each header",
        "",
        "<|start|>assistant<|channel|>analysis<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>",
        "",
    ),
    Family::new("a split that never comes", "<|channel|>final<|message|>a<|start|>", "b ", ""),
    Family::new("repeated starts", "<|channel|>final<|message|>a", "<|start|>", ""),
    Family::new("header words between messages", "<|channel|>final<|message|>a<|end|>", "final json ", ""),
    Family::new(
        "blank text behind a terminator's constraint",
        "<|channel|>final<|message|>a<|end|>assistant<|constrain|>",
        " ",
        "",
    ),
    Family::new(
        "blank text behind a start's constraint",
        "<|channel|>final<|message|>a<|start|>assistant<|constrain|>",
        " ",
        "",
    ),
    Family::new(
        "blank text behind a lost header's constraint",
        "<|channel|>commentary to=functions.f<|message|>{}<|call|>assistant<|constrain|>",
        " ",
        "",
    ),
    Family::new("half markers", "<|channel|>final<|message|>", "<|chann", ""),
];
