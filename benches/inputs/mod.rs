//! Texts of any length that look like what models write.

// Each bench takes what it needs.
#![allow(dead_code)]

use harmony_stream::{Options, Policy};

/// Both policies, all other options equal.
pub(crate) fn policies() -> [(&'static str, Options); 2] {
    [("verbatim", Options::default()), ("recover", Options::default().policy(Policy::Recover))]
}

/// Numbers that look random and are the same every time.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

const WORDS: [&str; 32] = [
    "the",
    "harbour",
    "of",
    "Brevik",
    "is",
    "calm",
    "in",
    "the",
    "morning,",
    "and",
    "ferries",
    "leave",
    "every",
    "hour",
    "from",
    "pier",
    "two.",
    "Naïve",
    "travellers",
    "often",
    "forget",
    "that",
    "tides",
    "decide",
    "more",
    "than",
    "timetables",
    "do;",
    "“late”",
    "means",
    "next",
    "day.\n\n",
];

pub(crate) fn prose(length: usize) -> String {
    fill(length, |random, text| {
        text.push_str(WORDS[random.below(WORDS.len())]);
        text.push(' ');
    })
}

const LINES: [&str; 8] = [
    "for (size_t i = 0; i < count; ++i) {\n",
    "    std::map<std::string, std::vector<int>> table;\n",
    "  <div class=\"row\"><span id=\"a\">1 &lt; 2</span></div>\n",
    "cat < input.txt | sort | uniq -c > out.txt\n",
    "    if (a <b || c< d) { return x << 2; }\n",
    "template <typename T> struct box<T *> {};\n",
    "const f = <T,>(x: T): T | null => x;\n",
    "while read -r line; do echo \"$line\"; done < <(ls)\n",
];

pub(crate) fn code(length: usize) -> String {
    fill(length, |random, text| text.push_str(LINES[random.below(LINES.len())]))
}

/// One JSON object as a coding agent sends it: source files as strings, no two alike, an escape every 17 bytes.
pub(crate) fn arguments(length: usize) -> String {
    files(length, &code(length).replace("  ", "\t"))
}

/// The same with documents: an escape every 100 bytes.
pub(crate) fn documents(length: usize) -> String {
    files(length, &prose(length))
}

/// `content` in files of 1,500 characters.
fn files(length: usize, content: &str) -> String {
    let mut text = String::from("{\"edits\":[");
    let mut rest = content;
    let mut file = 0;
    while text.len() < length {
        file += 1;
        let end = rest.char_indices().nth(1500).map_or(rest.len(), |(end, _)| end);
        let (content, behind) = rest.split_at(end);
        rest = behind;
        let content = serde_json::to_string(content).expect("a string is JSON");
        text.push_str(&format!(
            "{{\"path\":\"src/caf\\u00e9/{file}.ts\",\"line\":{file},\"content\":{content}}},"
        ));
    }
    text.push_str("{}]}");
    text
}

fn fill(length: usize, mut more: impl FnMut(&mut Random, &mut String)) -> String {
    let mut random = Random(1);
    let mut text = String::with_capacity(length + 64);
    while text.len() < length {
        more(&mut random, &mut text);
    }
    text
}
