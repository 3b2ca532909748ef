//! Standard output: whether it has colours, and which.

use std::env;
use std::io::{self, BufWriter, IsTerminal, StdoutLock};

use anstyle::{AnsiColor, Style};

/// Buffered; whoever writes flushes when the next input may be long in coming.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// How the kinds of text look. All are plain where the output is no terminal.
#[derive(Clone, Copy, Default)]
pub(crate) struct Look {
    pub(crate) heading: Style,
    pub(crate) reasoning: Style,
    pub(crate) call: Style,
    pub(crate) warning: Style,
    pub(crate) failure: Style,
}

impl Look {
    pub(crate) fn of_stdout() -> Look {
        if colours_wanted() { Look::coloured() } else { Look::default() }
    }

    pub(crate) fn coloured() -> Look {
        let plain = Style::new();
        Look {
            heading: plain.bold(),
            reasoning: plain.dimmed(),
            call: plain.fg_color(Some(AnsiColor::Cyan.into())),
            warning: plain.fg_color(Some(AnsiColor::Yellow.into())),
            failure: plain.fg_color(Some(AnsiColor::Red.into())),
        }
    }
}

/// A terminal, and nobody said no (<https://no-color.org>).
fn colours_wanted() -> bool {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !refused && !dumb
}
