//! What everybody is fed: whole transcripts of any length, what they mean, and where they are cut.

use std::fs;
use std::path::{Path, PathBuf};

use harmony_stream::Control;

use crate::correctness::Outcome;

#[path = "../../inputs/mod.rs"]
mod texts;

/// How a transcript is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Token,
    Bytes64,
    Bytes4096,
    Whole,
}

impl Cut {
    pub(crate) const ALL: [Cut; 4] = [Cut::Token, Cut::Bytes64, Cut::Bytes4096, Cut::Whole];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Cut::Token => "token",
            Cut::Bytes64 => "64",
            Cut::Bytes4096 => "4096",
            Cut::Whole => "whole",
        }
    }
}

/// A kind of transcript, made at any size.
#[derive(Clone, Copy)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    /// Bytes, about.
    pub(crate) size: usize,
    make: fn(usize) -> Script,
}

pub(crate) fn all(quick: bool) -> Vec<Input> {
    let usual = 64 << 10;
    let large = if quick { 1 << 20 } else { 16 << 20 };
    vec![
        Input { name: "prose", size: usual, make: prose },
        Input { name: "code", size: usual, make: code },
        Input { name: "arguments", size: usual, make: arguments },
        Input { name: "agent", size: usual, make: agent },
        Input { name: "quoted call", size: usual, make: quoted_call },
        Input { name: "quoted end", size: usual, make: quoted_end },
        Input { name: if quick { "1 MB" } else { "16 MB" }, size: large, make: large_turn },
    ]
}

fn prose(size: usize) -> Script {
    let mut script = Script::default();
    script.analysis(&texts::prose(size / 4)).answer(&texts::prose(size * 3 / 4));
    script
}

fn code(size: usize) -> Script {
    let mut script = Script::default();
    script.analysis(&texts::prose(size / 8)).answer(&texts::code(size * 7 / 8));
    script
}

fn arguments(size: usize) -> Script {
    let mut script = Script::default();
    script.analysis("The edits are ready.").call("save", &texts::arguments(size));
    script
}

/// 40 messages: thoughts, preambles, calls, and the answer.
fn agent(size: usize) -> Script {
    let each = size / 40;
    let mut script = Script::default();
    for message in 0..39 {
        match message % 5 {
            0 | 2 => script.analysis(&texts::prose(each)),
            4 => script.preamble(&texts::prose(each)),
            1 => script.call("search", &format!("{{\"query\":{}}}", quote(&texts::prose(each)))),
            _ => script.call("edit", &format!("{{\"text\":{}}}", quote(&texts::code(each)))),
        };
    }
    script.answer(&texts::prose(each));
    script
}

fn quoted_call(size: usize) -> Script {
    let text = quoting(size, " `<|call|>` ends it; ");
    let mut script = Script::default();
    script.analysis("It should be kept.").call("save", &format!("{{\"text\":{}}}", quote(&text)));
    script
}

fn quoted_end(size: usize) -> Script {
    let mut script = Script::default();
    script.analysis("They ask about the format.").answer(&quoting(size, " `<|end|>` ends it; "));
    script
}

fn large_turn(size: usize) -> Script {
    let mut answer = String::new();
    while answer.len() < size * 3 / 4 {
        answer.push_str(&texts::prose(32 << 10));
        answer.push_str(&texts::code(16 << 10));
    }
    let mut script = Script::default();
    script.analysis(&texts::prose(size / 4)).answer(&answer);
    script
}

/// Prose with a quoted marker every 200 bytes or so.
fn quoting(size: usize, quoted: &str) -> String {
    let mut text = String::new();
    let stretch = texts::prose(200);
    while text.len() < size {
        text.push_str(&stretch);
        text.push_str(quoted);
    }
    text.push_str("and that is all.");
    text
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).expect("a string is JSON")
}

/// A transcript as its writer knows it: which control tokens are real.
#[derive(Default)]
struct Script {
    parts: Vec<Part>,
    meaning: Outcome,
}

enum Part {
    Control(Control),
    Text(String),
}

impl Script {
    fn analysis(&mut self, text: &str) -> &mut Script {
        self.meaning.reasoning.push_str(text);
        self.header("analysis").body(text, Control::End)
    }

    fn preamble(&mut self, text: &str) -> &mut Script {
        self.meaning.content.push_str(text);
        self.header("commentary").body(text, Control::End)
    }

    fn answer(&mut self, text: &str) -> &mut Script {
        self.meaning.content.push_str(text);
        self.header("final").body(text, Control::Return)
    }

    fn call(&mut self, name: &str, arguments: &str) -> &mut Script {
        self.meaning.calls.push((name.to_owned(), arguments.to_owned()));
        self.header(&format!("commentary to=functions.{name} "));
        self.parts.push(Part::Control(Control::Constrain));
        self.parts.push(Part::Text("json".to_owned()));
        self.body(arguments, Control::Call)
    }

    /// The prompt ends with `<|start|>assistant`, so the first message begins behind it.
    fn header(&mut self, channel: &str) -> &mut Script {
        if !self.parts.is_empty() {
            self.parts.push(Part::Control(Control::Start));
            self.parts.push(Part::Text("assistant".to_owned()));
        }
        self.parts.push(Part::Control(Control::Channel));
        self.parts.push(Part::Text(channel.to_owned()));
        self
    }

    fn body(&mut self, text: &str, end: Control) -> &mut Script {
        self.parts.push(Part::Control(Control::Message));
        self.parts.push(Part::Text(text.to_owned()));
        self.parts.push(Part::Control(end));
        self
    }
}

/// One transcript, written to files that every contestant can read.
pub(crate) struct Case {
    stem: PathBuf,
    pub(crate) bytes: usize,
    pub(crate) meaning: Outcome,
    pieces: [usize; Cut::ALL.len()],
}

impl Case {
    /// Writes `STEM.text`, `STEM.ids` (token ids), `STEM.tools` (the names of the tools, a line each) and for each
    /// cut `STEM.CUT` (the pieces' lengths). Numbers are little-endian, 32 bits.
    pub(crate) fn of(input: &Input, size: usize, folder: &Path) -> Case {
        let script = (input.make)(size);
        let stem = folder.join(format!("{}-{size}", input.name.replace(' ', "-")));
        let mut tokens = Tokens::default();
        for part in &script.parts {
            match part {
                Part::Control(control) => tokens.control(*control),
                Part::Text(text) => tokens.text(text),
            }
        }
        Case::write(stem, tokens, script.meaning)
    }

    /// A text in which every control token is taken as one.
    pub(crate) fn of_text(name: &str, text: &str, meaning: Outcome, folder: &Path) -> Case {
        let mut tokens = Tokens::default();
        tokens.any(text);
        Case::write(folder.join(name), tokens, meaning)
    }

    fn write(stem: PathBuf, tokens: Tokens, meaning: Outcome) -> Case {
        let file = |ending: &str, bytes: &[u8]| {
            fs::write(stem.with_extension(ending), bytes)
                .expect("the folder for temporary files can be written");
        };
        let mut names: Vec<&str> = meaning.calls.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        names.dedup();
        file("text", tokens.text.as_bytes());
        file("ids", &numbers(&tokens.ids));
        file("tools", names.join("\n").as_bytes());
        let pieces = Cut::ALL.map(|cut| {
            let lengths = match cut {
                Cut::Token => tokens.lengths.clone(),
                Cut::Bytes64 => tokens.every(64),
                Cut::Bytes4096 => tokens.every(4096),
                Cut::Whole => vec![tokens.text.len() as u32],
            };
            file(cut.name(), &numbers(&lengths));
            lengths.len()
        });
        Case { stem, bytes: tokens.text.len(), meaning, pieces }
    }

    pub(crate) fn stem(&self) -> &Path {
        &self.stem
    }

    pub(crate) fn pieces(&self, cut: Cut) -> usize {
        self.pieces[cut as usize]
    }
}

fn numbers(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A text as tokens of the `o200k_harmony` vocabulary. A piece is a token, or several that make up a character.
#[derive(Default)]
struct Tokens {
    text: String,
    ids: Vec<u32>,
    lengths: Vec<u32>,
    /// Where stop tokens begin and end.
    stops: Vec<(usize, usize)>,
}

impl Tokens {
    fn control(&mut self, control: Control) {
        if matches!(control, Control::Call | Control::Return) {
            self.stops.push((self.text.len(), self.text.len() + control.literal().len()));
        }
        self.text.push_str(control.literal());
        self.ids.push(control.token_id());
        self.lengths.push(control.literal().len() as u32);
    }

    fn text(&mut self, text: &str) {
        let vocabulary = tiktoken_rs::o200k_harmony_singleton();
        let ids = vocabulary.encode_ordinary(text);
        let (mut from, mut to) = (0, 0);
        for id in &ids {
            to += vocabulary.decode_bytes(&[*id]).expect("the vocabulary made it").len();
            if text.is_char_boundary(to) {
                self.lengths.push((to - from) as u32);
                from = to;
            }
        }
        self.text.push_str(text);
        self.ids.extend(ids);
    }

    fn any(&mut self, mut text: &str) {
        let first = |text: &str| {
            Control::ALL
                .into_iter()
                .filter_map(|control| Some((text.find(control.literal())?, control)))
                .min_by_key(|found| found.0)
        };
        while let Some((at, control)) = first(text) {
            self.text(&text[..at]);
            self.control(control);
            text = &text[at + control.literal().len()..];
        }
        self.text(text);
    }

    /// Lengths of about `size` bytes that cut no character. A stop token stands alone, as an engine gives it.
    fn every(&self, size: usize) -> Vec<u32> {
        let mut lengths = Vec::new();
        let mut from = 0;
        let mut stretch = |to: usize| {
            while from < to {
                let mut end = (from + size).min(to);
                while !self.text.is_char_boundary(end) {
                    end += 1;
                }
                lengths.push((end - from) as u32);
                from = end;
            }
        };
        for &(begin, end) in &self.stops {
            stretch(begin);
            stretch(end);
        }
        stretch(self.text.len());
        lengths
    }
}
