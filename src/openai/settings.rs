//! What a filter may be told.

use crate::{Input, Options, Policy};

/// The field that carries reasoning in the OpenAI format. No standard names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReasoningField {
    /// `reasoning_content`, as llama.cpp, SGLang and DeepSeek have it.
    #[default]
    ReasoningContent,
    /// `reasoning`, as newer vLLM, LM Studio and OpenRouter have it.
    Reasoning,
}

impl ReasoningField {
    pub(crate) fn name(self) -> &'static str {
        match self {
            ReasoningField::ReasoningContent => "reasoning_content",
            ReasoningField::Reasoning => "reasoning",
        }
    }
}

/// How to filter. What exceeds a limit passes through unchanged and is counted in
/// [`Summary::limits`](super::Summary::limits); nothing is ever refused.
///
/// ```
/// use harmony_stream::openai::{ReasoningField, Settings};
/// let settings = Settings::default().reasoning(ReasoningField::Reasoning).max_event(1 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub(crate) parser: Options,
    pub(crate) reasoning: ReasoningField,
    pub(crate) max_event: usize,
    pub(crate) max_transcript: usize,
    pub(crate) max_held: usize,
    pub(crate) max_choices: usize,
}

impl Default for Settings {
    /// [`Options::lenient`], `reasoning_content`, 16 MiB for each of the sizes, 128 choices.
    fn default() -> Settings {
        Settings {
            parser: Options::lenient(),
            reasoning: ReasoningField::default(),
            max_event: 16 << 20,
            max_transcript: 16 << 20,
            max_held: 16 << 20,
            max_choices: 128,
        }
    }
}

impl Settings {
    /// Sets the options of the parsers. Their input is always text, and [`Settings::max_transcript`] is their limit.
    pub fn parser(mut self, options: Options) -> Settings {
        self.parser = options;
        self
    }

    /// Sets the field that carries reasoning (OpenAI format only).
    pub fn reasoning(mut self, field: ReasoningField) -> Settings {
        self.reasoning = field;
        self
    }

    /// Limits an event or line, in bytes. A longer one passes through unread.
    pub fn max_event(mut self, bytes: usize) -> Settings {
        self.max_event = bytes;
        self
    }

    /// Limits the text of one choice, in bytes. A choice with more is split up to there; the rest is unchanged.
    pub fn max_transcript(mut self, bytes: usize) -> Settings {
        self.max_transcript = bytes;
        self
    }

    /// Limits what waits for a decision, in bytes of events. Choices that would keep more waiting pass through
    /// unchanged from their first undecided event on.
    pub fn max_held(mut self, bytes: usize) -> Settings {
        self.max_held = bytes;
        self
    }

    /// Limits how many choices of a response are read. Others pass through unchanged.
    pub fn max_choices(mut self, choices: usize) -> Settings {
        self.max_choices = choices;
        self
    }

    /// The options that each parser gets.
    pub(crate) fn parser_options(&self) -> Options {
        self.parser.input(Input::Text).max_bytes(self.max_transcript)
    }

    pub(crate) fn recovers(&self) -> bool {
        self.parser.policy == Policy::Recover
    }
}
