//! What a detection consists of.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// One kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// H: a literal control token.
    Control,
    /// M: `to=functions.NAME`.
    Marker,
    /// C: a channel or role word directly before a marker.
    Channel,
    /// G: a glitch word next to the marker.
    Glitch,
    /// S: a run of a foreign script in text that is otherwise ASCII.
    Script,
    /// B: a marker, `code`, and another marker.
    Cascade,
    /// R: a made-up tool result, `code_output` and `Cell 1:`.
    Result,
    /// T: behind the end of the arguments that were parsed.
    Trailing,
}

impl Class {
    /// All classes, in the order in which a signal lists them.
    pub const ALL: [Class; 8] = [
        Class::Control,
        Class::Marker,
        Class::Channel,
        Class::Glitch,
        Class::Script,
        Class::Cascade,
        Class::Result,
        Class::Trailing,
    ];

    /// Its letter: `H`, `M`, `C`, `G`, `S`, `B`, `R` or `T`.
    pub const fn letter(self) -> &'static str {
        match self {
            Class::Control => "H",
            Class::Marker => "M",
            Class::Channel => "C",
            Class::Glitch => "G",
            Class::Script => "S",
            Class::Cascade => "B",
            Class::Result => "R",
            Class::Trailing => "T",
        }
    }

    /// What it means, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Class::Control => "control token",
            Class::Marker => "routing marker",
            Class::Channel => "channel word before a marker",
            Class::Glitch => "glitch word nearby",
            Class::Script => "run of a foreign script nearby",
            Class::Cascade => "cascade of markers",
            Class::Result => "made-up tool result",
            Class::Trailing => "behind the end of the arguments",
        }
    }
}

/// A set of classes: one bit each, in the order of [`Class::ALL`].
///
/// ```
/// use harmony_stream::leak::{Class, Classes};
/// let classes = Classes::from_bits(0b110);
/// assert!(classes.contains(Class::Channel));
/// assert_eq!(classes.to_string(), "M+C");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Classes(u8);

impl Classes {
    /// No class.
    pub const NONE: Classes = Classes(0);

    /// The set with these bits: 1 is H, 2 is M, 4 is C, and so on to 128, T.
    pub const fn from_bits(bits: u8) -> Classes {
        Classes(bits)
    }

    /// Its bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether `class` is in it.
    pub const fn contains(self, class: Class) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    /// The same set and `class`.
    #[must_use]
    pub const fn with(self, class: Class) -> Classes {
        Classes(self.0 | (1 << class as u8))
    }

    /// The same set and, if `yes`, `class`.
    pub(super) const fn with_if(self, yes: bool, class: Class) -> Classes {
        if yes { self.with(class) } else { self }
    }

    /// How many classes it holds.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it holds none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its classes, in order.
    pub fn iter(self) -> impl Iterator<Item = Class> {
        Class::ALL.into_iter().filter(move |&class| self.contains(class))
    }
}

impl fmt::Display for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, class) in self.iter().enumerate() {
            f.write_str(if n > 0 { "+" } else { "" })?;
            f.write_str(class.letter())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Classes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Classes({self})")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Class {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.letter())
    }
}

/// A list of letters.
#[cfg(feature = "serde")]
impl serde::Serialize for Classes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A place in the text where something leaked: a control token, or a marker with company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Signal {
    /// The evidence.
    pub classes: Classes,
    /// Byte offset of its first byte in the text.
    pub start: usize,
    /// Byte offset behind its last byte.
    pub end: usize,
}

impl Signal {
    /// The text it stands for, out of the text that was searched; empty if that is some other text.
    ///
    /// ```
    /// use harmony_stream::leak::{detect, DetectOptions, Surface};
    /// let text = "so user to=functions.edit code";
    /// let detection = detect(text, Surface::Text, &DetectOptions::new()).unwrap();
    /// assert_eq!(detection.signals[0].text(text), "to=functions.edit");
    /// ```
    pub fn text<'a>(&self, searched: &'a str) -> &'a str {
        searched.get(self.start..self.end).unwrap_or("")
    }
}

/// Signals as one short text: classes joined with `+`, distinct ones, first seen first, with `,`; `none` for none.
///
/// ```
/// use harmony_stream::leak::{Classes, Signal, label};
/// let signal = |bits, start| Signal { classes: Classes::from_bits(bits), start, end: start + 9 };
/// assert_eq!(label(&[signal(6, 0), signal(1, 20), signal(6, 40)]), "M+C,H");
/// assert_eq!(label(&[]), "none");
/// ```
pub fn label(signals: &[Signal]) -> String {
    use core::fmt::Write;
    let mut out = String::new();
    // A set of sets: 256 bits.
    let mut seen = [0_u64; 4];
    for signal in signals {
        let bits = signal.classes.bits();
        let (word, bit) = (&mut seen[usize::from(bits / 64)], 1 << (bits % 64));
        if *word & bit == 0 {
            *word |= bit;
            let comma = if out.is_empty() { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(out, "{comma}{}", signal.classes);
        }
    }
    if out.is_empty() { "none".into() } else { out }
}

/// What kind of text it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Surface {
    /// The visible answer.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "assistant_text"))]
    Text,
    /// The chain of thought.
    #[cfg_attr(feature = "serde", serde(rename = "assistant_thinking"))]
    Thinking,
    /// The arguments of a tool call: any file may stand in them, so here only what lies behind the end of the
    /// arguments counts as a leak.
    #[cfg_attr(feature = "serde", serde(rename = "tool_arg"))]
    ToolArg,
}

impl Surface {
    /// `"assistant_text"`, `"assistant_thinking"` or `"tool_arg"`.
    pub const fn name(self) -> &'static str {
        match self {
            Surface::Text => "assistant_text",
            Surface::Thinking => "assistant_thinking",
            Surface::ToolArg => "tool_arg",
        }
    }
}

/// A leak: where, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Detection {
    /// What kind of text it is in.
    pub surface: Surface,
    /// Which block of the message, if that was said.
    pub content_index: Option<usize>,
    /// The tool whose arguments it is in, if that was said.
    pub tool_name: Option<String>,
    /// The id of that tool call, if that was said.
    pub tool_call_id: Option<String>,
    /// The signals, by start; never empty.
    pub signals: Vec<Signal>,
}

impl Detection {
    /// The [`label`] of its signals.
    pub fn label(&self) -> String {
        label(&self.signals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_as_many_classes_as_it_lists() {
        let sets = (0..1 << Class::ALL.len()).map(|bits| {
            let held = Class::ALL.into_iter().filter(|&class| bits & (1 << class as u8) != 0);
            held.fold(Classes::NONE, Classes::with)
        });
        for (bits, set) in sets.enumerate() {
            assert_eq!(set.len(), bits.count_ones() as usize);
            assert_eq!(set.len(), set.iter().count());
            assert_eq!(set.is_empty(), bits == 0);
        }
    }
}
