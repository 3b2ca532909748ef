//! What stops the program, and what to do about it.

use std::fmt;
use std::io;

pub(crate) enum Problem {
    /// Whoever read our output has seen enough.
    ReaderGone,
    /// The output cannot be written.
    Output(io::Error),
    /// A file cannot be opened or read.
    Input { name: String, error: io::Error },
    /// The text passes the limit that was set.
    TooLong { name: String, limit: usize },
    /// The library refused something.
    Library(harmony_stream::Error),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::ReaderGone => write!(f, "nobody reads the output"),
            Problem::Output(error) => {
                write!(f, "cannot write the output: {error}; is there room where it goes?")
            }
            Problem::Input { name, error } => write!(f, "cannot read {name}: {error}; {}", advice(error)),
            Problem::TooLong { name, limit } => {
                write!(f, "{name} has more than {limit} bytes; raise --max-bytes, or leave it out")
            }
            Problem::Library(error) => write!(f, "{error}"),
        }
    }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the path, or give - to read standard input",
        io::ErrorKind::PermissionDenied => "make it readable, or pipe its text in",
        io::ErrorKind::IsADirectory => "give a file in it",
        _ => "give another file, or pipe the text in",
    }
}

impl From<io::Error> for Problem {
    /// An error without a file's name is one of the output.
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Problem::ReaderGone,
            _ => Problem::Output(error),
        }
    }
}

impl From<harmony_stream::Error> for Problem {
    fn from(error: harmony_stream::Error) -> Problem {
        Problem::Library(error)
    }
}
