//! The seven control tokens. Nothing else knows how they are spelled.

/// A control token of the harmony format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Control {
    /// `<|start|>` begins a message header.
    Start,
    /// `<|end|>` ends a message; the turn goes on.
    End,
    /// `<|return|>` ends the turn.
    Return,
    /// `<|call|>` ends a tool call.
    Call,
    /// `<|channel|>` comes before the channel's name.
    Channel,
    /// `<|message|>` ends the header; the body follows.
    Message,
    /// `<|constrain|>` comes before the body's format.
    Constrain,
}

impl Control {
    /// All seven.
    pub const ALL: [Control; 7] = [
        Control::Start,
        Control::End,
        Control::Return,
        Control::Call,
        Control::Channel,
        Control::Message,
        Control::Constrain,
    ];

    /// How the token is spelled in text.
    ///
    /// ```
    /// assert_eq!(harmony_stream::Control::Call.literal(), "<|call|>");
    /// ```
    pub const fn literal(self) -> &'static str {
        match self {
            Control::Start => "<|start|>",
            Control::End => "<|end|>",
            Control::Return => "<|return|>",
            Control::Call => "<|call|>",
            Control::Channel => "<|channel|>",
            Control::Message => "<|message|>",
            Control::Constrain => "<|constrain|>",
        }
    }

    /// Its id in the `o200k_harmony` vocabulary of gpt-oss.
    ///
    /// ```
    /// assert_eq!(harmony_stream::Control::Call.token_id(), 200012);
    /// ```
    pub const fn token_id(self) -> u32 {
        match self {
            Control::Return => 200_002,
            Control::Constrain => 200_003,
            Control::Channel => 200_005,
            Control::Start => 200_006,
            Control::End => 200_007,
            Control::Message => 200_008,
            Control::Call => 200_012,
        }
    }

    /// The control token with this id, if it is one.
    ///
    /// ```
    /// use harmony_stream::Control;
    /// assert_eq!(Control::from_token_id(200006), Some(Control::Start));
    /// assert_eq!(Control::from_token_id(1), None);
    /// ```
    pub const fn from_token_id(id: u32) -> Option<Control> {
        Some(match id {
            200_002 => Control::Return,
            200_003 => Control::Constrain,
            200_005 => Control::Channel,
            200_006 => Control::Start,
            200_007 => Control::End,
            200_008 => Control::Message,
            200_012 => Control::Call,
            _ => return None,
        })
    }

    /// Whether it ends a message: `<|end|>`, `<|return|>` or `<|call|>`.
    pub(crate) const fn is_terminator(self) -> bool {
        matches!(self, Control::End | Control::Return | Control::Call)
    }
}

/// What text that begins with `<|` turns out to be.
pub(crate) enum Spelled {
    /// This token.
    Marker(Control),
    /// The beginning of one, as far as the text goes.
    Maybe,
    /// Ordinary text.
    No,
}

/// Looks for a control token at the start of `text`, which begins with `<`.
pub(crate) fn spelled(text: &[u8]) -> Spelled {
    let candidate = match text.get(2) {
        Some(b's') => Control::Start,
        Some(b'e') => Control::End,
        Some(b'r') => Control::Return,
        Some(b'm') => Control::Message,
        Some(b'c') => match (text.get(3), text.get(4)) {
            (Some(b'a'), _) => Control::Call,
            (Some(b'h'), _) => Control::Channel,
            (Some(b'o'), _) => Control::Constrain,
            (None, _) => return maybe(text, Control::Call),
            _ => return Spelled::No,
        },
        None => return maybe(text, Control::Start),
        Some(_) => return Spelled::No,
    };
    if text.starts_with(candidate.literal().as_bytes()) {
        return Spelled::Marker(candidate);
    }
    maybe(text, candidate)
}

fn maybe(text: &[u8], candidate: Control) -> Spelled {
    if candidate.literal().as_bytes().starts_with(text) { Spelled::Maybe } else { Spelled::No }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_literals_name_one_token_each() {
        for control in Control::ALL {
            assert_eq!(Control::from_token_id(control.token_id()), Some(control));
            assert!(
                matches!(spelled(control.literal().as_bytes()), Spelled::Marker(found) if found == control)
            );
        }
        let known = (199_990..200_020).filter_map(Control::from_token_id).count();
        assert_eq!(known, 7);
    }
}
