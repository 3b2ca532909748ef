//! A file or standard input, in pieces as they arrive.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::problem::Problem;

/// How much is asked for at once.
const BLOCK: usize = 64 * 1024;

/// Which text a command reads; for use in its arguments.
#[derive(clap::Args)]
pub(crate) struct Source {
    /// The text; - or nothing is standard input
    ///
    /// A file that is named like a subcommand is given as ./NAME. Bytes that are no UTF-8 are no error: a parse
    /// passes them through unchanged as text; in JSON they become U+FFFD.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// An open text.
pub(crate) struct Input {
    name: String,
    from: Box<dyn Read>,
}

impl Source {
    pub(crate) fn open(&self) -> Result<Input, Problem> {
        match &self.file {
            Some(path) if path != Path::new("-") => Input::file(path),
            given => Ok(Input::stdin(given.is_some())),
        }
    }
}

impl Input {
    fn file(path: &Path) -> Result<Input, Problem> {
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Input { name, from: Box::new(file) }),
            Err(error) => Err(Problem::Input { name, error }),
        }
    }

    /// Who did not ask for standard input may wonder why nothing happens.
    fn stdin(asked_for: bool) -> Input {
        let stdin = io::stdin().lock();
        if !asked_for && stdin.is_terminal() {
            eprintln!("harmony-stream: reading standard input up to Ctrl-D; try --help for other ways");
        }
        Input { name: "standard input".to_owned(), from: Box::new(stdin) }
    }

    /// Gives `take` the text, as it arrives or in pieces of `size` bytes (the last may be shorter).
    pub(crate) fn pieces(
        mut self,
        size: Option<NonZeroUsize>,
        mut take: impl FnMut(&[u8]) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let mut block = vec![0; BLOCK];
        let mut piece = Vec::new();
        loop {
            let arrived = match self.read(&mut block)? {
                0 if piece.is_empty() => return Ok(()),
                0 => return take(&piece),
                n => &block[..n],
            };
            match size {
                None => take(arrived)?,
                Some(size) => cut(arrived, size.get(), &mut piece, &mut take)?,
            }
        }
    }

    /// The whole text.
    pub(crate) fn all(self) -> Result<Vec<u8>, Problem> {
        let mut text = Vec::new();
        self.pieces(None, |piece| {
            text.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(text)
    }

    /// What it is called in a message.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, block: &mut [u8]) -> Result<usize, Problem> {
        loop {
            match self.from.read(block) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Problem::Input { name: self.name.clone(), error }),
                Ok(n) => return Ok(n),
            }
        }
    }
}

/// Fills `piece` up to `size` and hands it on, as often as `text` allows; the rest stays in `piece`.
fn cut(
    mut text: &[u8],
    size: usize,
    piece: &mut Vec<u8>,
    take: &mut impl FnMut(&[u8]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    while !text.is_empty() {
        let (now, later) = text.split_at(text.len().min(size - piece.len()));
        piece.extend_from_slice(now);
        text = later;
        if piece.len() == size {
            take(piece)?;
            piece.clear();
        }
    }
    Ok(())
}
