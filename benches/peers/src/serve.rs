//! The contestant's side of the protocol (see the README), for those written in Rust.

use std::hint::black_box;
use std::io::{BufRead, Write};
use std::path::Path;
use std::{fs, io};

use cpu_time::ProcessTime;

use crate::correctness::Outcome;

/// A transcript as a contestant reads it.
pub(crate) struct Loaded {
    pub(crate) text: String,
    #[cfg_attr(not(feature = "openai"), allow(dead_code))]
    pub(crate) ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Loaded {
    fn read(stem: &Path, cut: &str) -> io::Result<Loaded> {
        let numbers = |ending: &str| -> io::Result<Vec<u32>> {
            let bytes = fs::read(stem.with_extension(ending))?;
            Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
        };
        let mut end = 0;
        let ends = numbers(cut)?.into_iter().map(|length| {
            end += length as usize;
            end
        });
        let ends = ends.collect();
        Ok(Loaded { text: fs::read_to_string(stem.with_extension("text"))?, ids: numbers("ids")?, ends })
    }

    pub(crate) fn pieces(&self) -> impl Iterator<Item = &str> {
        let mut from = 0;
        self.ends.iter().map(move |&to| {
            let piece = &self.text[from..to];
            from = to;
            piece
        })
    }
}

/// What takes a parser's results.
pub(crate) trait Sink {
    fn content(&mut self, text: &str);
    fn reasoning(&mut self, text: &str);
    /// A call begins.
    fn call(&mut self, name: &str);
    /// The next arguments of the last call.
    fn arguments(&mut self, text: &str);
    /// Forget everything.
    fn rollback(&mut self) {}
}

/// Looks at every result and keeps nothing.
#[derive(Default)]
struct Count(usize);

impl Sink for Count {
    fn content(&mut self, text: &str) {
        self.0 += black_box(text).len();
    }

    fn reasoning(&mut self, text: &str) {
        self.0 += black_box(text).len();
    }

    fn call(&mut self, name: &str) {
        self.0 += black_box(name).len();
    }

    fn arguments(&mut self, text: &str) {
        self.0 += black_box(text).len();
    }
}

impl Sink for Outcome {
    fn content(&mut self, text: &str) {
        self.content.push_str(text);
    }

    fn reasoning(&mut self, text: &str) {
        self.reasoning.push_str(text);
    }

    fn call(&mut self, name: &str) {
        self.calls.push((name.to_owned(), String::new()));
    }

    fn arguments(&mut self, text: &str) {
        if let Some((_, arguments)) = self.calls.last_mut() {
            arguments.push_str(text);
        }
    }

    fn rollback(&mut self) {
        *self = Outcome::default();
    }
}

/// A parser: one stream a call, from a new state.
pub(crate) trait Peer {
    fn run(&self, input: &Loaded, sink: &mut impl Sink) -> Result<(), String>;
}

/// Answers requests until the other side hangs up.
pub(crate) fn serve(peer: &impl Peer) -> io::Result<()> {
    let mut loaded = None;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split('\t').collect();
        match (&words[..], &loaded) {
            (["load", stem, cut], _) => {
                loaded = Some(Loaded::read(Path::new(stem), cut)?);
                writeln!(out, "ok")?;
            }
            (["time", times], Some(input)) => {
                let times: usize = times.parse().map_err(io::Error::other)?;
                let from = ProcessTime::now();
                let mut count = Count::default();
                for _ in 0..times {
                    // An error has been reported by `parse`.
                    let _ = peer.run(black_box(input), &mut count);
                }
                let spent = from.elapsed().as_nanos();
                writeln!(out, "{spent} {}", black_box(count.0))?;
            }
            (["parse"], Some(input)) => {
                let mut outcome = Outcome::default();
                let error = peer.run(input, &mut outcome).err();
                outcome.error = error.unwrap_or_default();
                write(&mut out, &outcome)?;
            }
            _ => return Err(io::Error::other(format!("cannot: {line}"))),
        }
        out.flush()?;
    }
    Ok(())
}

fn write(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let mut field = |name: &str, text: &str| writeln!(out, "{name} {}\n{text}", text.len());
    field("content", &outcome.content)?;
    field("reasoning", &outcome.reasoning)?;
    for (name, arguments) in &outcome.calls {
        field("name", name)?;
        field("arguments", arguments)?;
    }
    field("error", &outcome.error)?;
    field("end", "")
}
