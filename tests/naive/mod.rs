//! The reference grammar a second time: whole text, no streaming, no care for speed.
//!
//! It shares nothing with the crate, not even the spelling of a marker, so that a mistake has to be made twice to
//! go unseen. It lexes the whole text, then reads messages with as much lookahead as they need. `None` is failure
//! all the way up: the verbatim policy gives everything up at the first deviation.
//!
//! Covered: the verbatim policy, routing CommentaryFunctions, text input, start Detect.

// Each test target uses its own part.
#![allow(dead_code)]

/// What the reference says of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) failed: bool,
    pub(crate) content: String,
    pub(crate) reasoning: String,
    /// Name and arguments.
    pub(crate) calls: Vec<(String, String)>,
}

pub(crate) fn parse(text: &str) -> Outcome {
    let tokens = lex(text);
    Reader { tokens: &tokens, at: 0, split: false, out: Outcome::default() }
        .stream()
        .unwrap_or_else(|| Outcome { failed: true, content: text.to_owned(), ..Outcome::default() })
}

/// The cheap gate: a header marker somewhere, and `<|message|>` somewhere behind it.
pub(crate) fn is_harmony(text: &str) -> bool {
    ["<|channel|>", "<|start|>"].iter().any(|opener| match text.split_once(opener) {
        Some((_, behind)) => behind.contains("<|message|>"),
        None => false,
    })
}

/// A marker is kept as its literal: quoting it is then pasting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Marker(&'a str),
    Text(&'a str),
}

const MARKERS: [&str; 7] =
    ["<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>"];

fn lex(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some((at, marker)) = first_marker(rest) {
        if at > 0 {
            tokens.push(Token::Text(&rest[..at]));
        }
        tokens.push(Token::Marker(marker));
        rest = &rest[at + marker.len()..];
    }
    if !rest.is_empty() {
        tokens.push(Token::Text(rest));
    }
    tokens
}

fn first_marker(text: &str) -> Option<(usize, &'static str)> {
    MARKERS.iter().filter_map(|marker| Some((text.find(marker)?, *marker))).min()
}

/// `\s` of ECMAScript, which is also what its `trim` removes. Rust's own set lacks U+FEFF and has U+0085.
fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c != '\u{85}' && c.is_whitespace())
}

fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

fn is_blank(token: Token<'_>) -> bool {
    matches!(token, Token::Text(text) if trim(text).is_empty())
}

fn is_prose(token: Token<'_>) -> bool {
    matches!(token, Token::Text(_)) && !is_blank(token)
}

fn is_terminator(token: Token<'_>) -> bool {
    ["<|end|>", "<|return|>", "<|call|>"].iter().any(|marker| token == Token::Marker(marker))
}

fn known_channel(slot: &str) -> Option<&str> {
    let word = trim(slot).split(is_space).next()?;
    ["analysis", "commentary", "final"].contains(&word).then_some(word)
}

/// The name in the first `to=functions.NAME`, wherever it stands.
fn recipient(slot: &str) -> Option<&str> {
    slot.match_indices("to=functions.").find_map(|(at, prefix)| {
        let name = &slot[at + prefix.len()..];
        let part = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let length = name.find(|c| !part(c)).unwrap_or(name.len());
        let first = name.chars().next()?;
        (first.is_ascii_alphabetic() || first == '_').then(|| &name[..length])
    })
}

struct Header<'a> {
    channel: Option<&'a str>,
    recipient: Option<&'a str>,
    /// The first token of the body.
    body: usize,
}

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// The message before was cut off by this one's header, so this one may be quoted: it must be clean.
    split: bool,
    out: Outcome,
}

impl<'a> Reader<'a> {
    fn is(&self, at: usize, marker: &str) -> bool {
        self.tokens.get(at) == Some(&Token::Marker(marker))
    }

    /// The text at `at`, if there is some; and where the next token is.
    fn slot(&self, at: usize) -> (&'a str, usize) {
        match self.tokens.get(at) {
            Some(Token::Text(text)) => (text, at + 1),
            _ => ("", at),
        }
    }

    fn opens_header(&self, at: usize) -> bool {
        self.is(at, "<|start|>") || self.is(at, "<|channel|>")
    }

    fn stream(mut self) -> Option<Outcome> {
        self.leading_text();
        let mut messages = 0;
        loop {
            self.skip_blank();
            if self.at == self.tokens.len() {
                return (messages > 0).then_some(self.out);
            }
            self.message()?;
            messages += 1;
        }
    }

    /// Text before the first header is content. Left alone, it fails as text where a message should be.
    fn leading_text(&mut self) {
        if let (text, 1) = self.slot(0) {
            if !self.opens_header(1) {
                return;
            }
            if !trim(text).is_empty() {
                self.out.content += text;
            }
            self.at = 1;
        }
    }

    fn skip_blank(&mut self) {
        while self.tokens.get(self.at).is_some_and(|&token| is_blank(token)) {
            self.at += 1;
        }
    }

    fn message(&mut self) -> Option<()> {
        let header = self.header(self.at)?;
        self.at = header.body;
        let split = std::mem::take(&mut self.split);
        match header {
            Header { channel: Some("commentary"), recipient: Some(name), .. } => self.call(name),
            Header { channel, .. } => self.body(channel == Some("analysis"), split),
        }
    }

    /// A whole header at `at`, through its `<|message|>`.
    fn header(&self, at: usize) -> Option<Header<'a>> {
        if !self.opens_header(at) {
            return None;
        }
        let mut header = Header { channel: None, recipient: None, body: at };
        if self.is(header.body, "<|start|>") {
            let (role, next) = self.slot(header.body + 1);
            header.recipient = recipient(role);
            header.body = next;
        }
        if self.is(header.body, "<|channel|>") {
            let (slot, next) = self.slot(header.body + 1);
            header.channel = Some(known_channel(slot)?);
            header.recipient = recipient(slot).or(header.recipient);
            header.body = if self.is(next, "<|constrain|>") { self.slot(next + 1).1 } else { next };
        }
        self.is(header.body, "<|message|>").then_some(Header { body: header.body + 1, ..header })
    }

    /// The arguments end at the first `<|call|>` that leaves a whole JSON object before it.
    fn call(&mut self, name: &str) -> Option<()> {
        let mut arguments = String::new();
        loop {
            if self.is(self.at, "<|call|>") && is_json_object(trim(&arguments)) {
                self.at += 1;
                self.out.calls.push((name.to_owned(), trim(&arguments).to_owned()));
                return Some(());
            }
            let (Token::Text(piece) | Token::Marker(piece)) = self.tokens.get(self.at)?;
            arguments += piece;
            self.at += 1;
        }
    }

    fn body(&mut self, analysis: bool, split: bool) -> Option<()> {
        let begin = self.at;
        let mut quotes = false;
        while let Some(&token) = self.tokens.get(self.at) {
            if self.ends_body(self.at) {
                self.route(begin, analysis);
                self.split = token == Token::Marker("<|start|>");
                self.at += usize::from(!self.split);
                return Some(());
            }
            if let Token::Marker(marker) = token {
                self.may_quote(marker, split).then_some(())?;
                quotes = true;
            }
            self.at += 1;
        }
        // Only an answer that quotes nothing may go on to the end of the stream.
        (!analysis && !quotes).then(|| self.route(begin, analysis))
    }

    /// A terminator before the end or a header, or `<|start|>` of a header.
    fn ends_body(&self, at: usize) -> bool {
        if self.is(at, "<|start|>") {
            return self.header(at).is_some();
        }
        let blanks = self.tokens[at + 1..].iter().take_while(|&&token| is_blank(token)).count();
        let next = at + 1 + blanks;
        is_terminator(self.tokens[at]) && (next == self.tokens.len() || self.header(next).is_some())
    }

    /// The marker at the cursor is prose, because prose follows.
    fn may_quote(&self, marker: &str, split: bool) -> bool {
        let structure = marker == "<|channel|>" || marker == "<|message|>";
        !structure && !split && self.tokens.get(self.at + 1).is_some_and(|&token| is_prose(token))
    }

    fn route(&mut self, begin: usize, analysis: bool) {
        let target = if analysis { &mut self.out.reasoning } else { &mut self.out.content };
        for Token::Text(piece) | Token::Marker(piece) in &self.tokens[begin..self.at] {
            *target += piece;
        }
    }
}

/// What `JSON.parse` takes and gives an object for.
fn is_json_object(text: &str) -> bool {
    text.starts_with('{') && json_symbols(text).is_some_and(|symbols| is_one_value(&symbols))
}

/// Cuts JSON into `{ } [ ] : ,`, `s` for a string and `v` for any other scalar.
fn json_symbols(text: &str) -> Option<Vec<char>> {
    let mut symbols = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t', '\n', '\r']);
    while let Some(first) = rest.chars().next() {
        let (symbol, length) = match first {
            '{' | '}' | '[' | ']' | ':' | ',' => (first, 1),
            '"' => ('s', string_length(rest)?),
            _ => ('v', scalar_length(rest)?),
        };
        symbols.push(symbol);
        rest = rest[length..].trim_start_matches([' ', '\t', '\n', '\r']);
    }
    Some(symbols)
}

fn string_length(text: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        let rest = &text[at..];
        at += match rest.chars().next()? {
            '"' => return Some(at + 1),
            '\\' => escape_length(rest)?,
            c if c < ' ' => return None,
            c => c.len_utf8(),
        };
    }
}

fn escape_length(text: &str) -> Option<usize> {
    match text.as_bytes().get(1)? {
        b'u' => {
            let digits = text.as_bytes().get(2..6)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(6)
        }
        c => br#""\/bfnrt"#.contains(c).then_some(2),
    }
}

fn scalar_length(text: &str) -> Option<usize> {
    let length = text.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(text.len());
    let word = &text[..length];
    (["true", "false", "null"].contains(&word) || is_number(word)).then_some(length)
}

fn is_number(word: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix(['+', '-']).unwrap_or(exponent)),
        None => (word, "0"),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && digits(fraction) && digits(exponent)
}

/// Shifts symbols and folds each finished array, object and member, until one `v` is left.
///
/// The stack holds open brackets, `,`, and per object what it has so far: `m` for whole members.
fn is_one_value(symbols: &[char]) -> bool {
    let mut stack: Vec<char> = Vec::new();
    for &symbol in symbols {
        let folded = match symbol {
            '}' => fold(&mut stack, &[&['{'], &['{', 'm']]),
            ']' => fold(&mut stack, &[&['['], &['[', 'e']]),
            _ => Some(symbol),
        };
        let Some(symbol) = folded else { return false };
        stack.push(symbol);
        fold_item(&mut stack);
    }
    matches!(stack[..], ['v'])
}

/// Takes one of `shapes` off the top of the stack; a value takes its place.
fn fold(stack: &mut Vec<char>, shapes: &[&[char]]) -> Option<char> {
    let shape = shapes.iter().find(|shape| stack.ends_with(shape))?;
    stack.truncate(stack.len() - shape.len());
    Some('v')
}

/// A member or an element on top of the stack joins those before it.
fn fold_item(stack: &mut Vec<char>) {
    let (spent, item) = match stack[..] {
        [.., '{', 's', ':', 's' | 'v'] => (3, 'm'),
        [.., '{', 'm', ',', 's', ':', 's' | 'v'] => (5, 'm'),
        [.., '[', 's' | 'v'] => (1, 'e'),
        [.., '[', 'e', ',', 's' | 'v'] => (3, 'e'),
        _ => return,
    };
    stack.truncate(stack.len() - spent);
    stack.push(item);
}
