//! Runs everybody: first whether the result is right, then how long it takes, interleaved.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::contestant::{Client, Contestant, Group};
use crate::correctness::{Verdict, judge};
use crate::inputs::{Case, Cut, Input};

/// How much is measured.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Nanoseconds that one sample should take.
    sample: f64,
    /// Nanoseconds that one parse may take; else the input is made smaller.
    cap: f64,
    rounds: usize,
    /// Nanoseconds that all samples of a cell may take.
    budget: f64,
}

impl Effort {
    pub(crate) fn new(quick: bool) -> Effort {
        if quick {
            Effort { sample: 3e6, cap: 0.1e9, rounds: 3, budget: 0.2e9 }
        } else {
            Effort { sample: 15e6, cap: 1e9, rounds: 9, budget: 3e9 }
        }
    }
}

/// What one contestant makes of one input, cut one way.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// It does not take such input.
    Unfit,
    /// It gave up, and why.
    Failed(String),
    Measured(Measured),
}

#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) verdict: Verdict,
    pub(crate) bytes: usize,
    pub(crate) pieces: usize,
    /// Whether this is the input's full size.
    pub(crate) full: bool,
    /// Nanoseconds a parse: the median, and the quartiles.
    pub(crate) median: f64,
    pub(crate) quartiles: [f64; 2],
    /// Time for this size by time for half of it.
    pub(crate) doubling: Option<f64>,
}

impl Measured {
    pub(crate) fn ns_a_piece(&self) -> f64 {
        self.median / self.pieces as f64
    }

    pub(crate) fn mb_a_second(&self) -> f64 {
        self.bytes as f64 * 1e3 / self.median
    }
}

/// All inputs at all sizes that were needed.
pub(crate) struct Cases {
    folder: PathBuf,
    made: HashMap<(&'static str, usize), Rc<Case>>,
}

impl Cases {
    pub(crate) fn new(folder: &Path) -> Cases {
        Cases { folder: folder.to_owned(), made: HashMap::new() }
    }

    pub(crate) fn get(&mut self, input: &Input, size: usize) -> Rc<Case> {
        let make = || Rc::new(Case::of(input, size, &self.folder));
        Rc::clone(self.made.entry((input.name, size)).or_insert_with(make))
    }
}

/// Cells by contestant, for one input and one cut.
pub(crate) fn measure(
    contestants: &[Contestant],
    input: &Input,
    cut: Cut,
    cases: &mut Cases,
    effort: Effort,
) -> Vec<Cell> {
    let mut runners: Vec<Runner> =
        contestants.iter().map(|one| Runner::climb(one, input, cut, cases, effort)).collect();
    for round in 0..effort.rounds {
        for runner in &mut runners {
            runner.sample(round, effort);
        }
    }
    runners.into_iter().map(Runner::cell).collect()
}

struct Runner {
    client: Option<Client>,
    cell: Cell,
    samples: Vec<f64>,
}

impl Runner {
    /// From small to full size, as far as time allows. At each size the result is judged first.
    fn climb(contestant: &Contestant, input: &Input, cut: Cut, cases: &mut Cases, effort: Effort) -> Runner {
        let cell = if contestant.missing.is_some() || unfit(contestant, input, cut) {
            Ok((None, Cell::Unfit))
        } else {
            climb(contestant, input, cut, cases, effort)
        };
        let (client, cell) = cell.unwrap_or_else(|error| (None, Cell::Failed(error.to_string())));
        Runner { client, cell, samples: Vec::new() }
    }

    fn sample(&mut self, round: usize, effort: Effort) {
        let (Some(client), Cell::Measured(measured)) = (&mut self.client, &self.cell) else { return };
        if round >= 3 && measured.median * round as f64 > effort.budget {
            return;
        }
        let times = (effort.sample / measured.median).ceil().max(1.0) as usize;
        if let Ok(spent) = client.time(times) {
            self.samples.push(spent / times as f64);
        }
    }

    fn cell(mut self) -> Cell {
        self.samples.sort_unstable_by(f64::total_cmp);
        if let (Cell::Measured(measured), false) = (&mut self.cell, self.samples.is_empty()) {
            let at = |part: f64| self.samples[((self.samples.len() - 1) as f64 * part).round() as usize];
            measured.median = at(0.5);
            measured.quartiles = [at(0.25), at(0.75)];
        }
        self.cell
    }
}

fn unfit(contestant: &Contestant, input: &Input, cut: Cut) -> bool {
    let json = contestant.name.contains("serde_json");
    !contestant.cuts.contains(&cut) || json && !["arguments", "quoted call"].contains(&input.name)
}

fn climb(
    contestant: &Contestant,
    input: &Input,
    cut: Cut,
    cases: &mut Cases,
    effort: Effort,
) -> io::Result<(Option<Client>, Cell)> {
    let mut client = contestant.start(cut)?;
    let mut best: Option<Measured> = None;
    // Ten sizes at most; the first is small enough for everybody.
    let steps = (0..10).rev().map(|halvings| input.size >> halvings).filter(|size| *size >= 8 << 10);
    for size in steps {
        let case = cases.get(input, size);
        client.load(&case, cut)?;
        let verdict = match contestant.group {
            Group::Limit => Verdict::Right,
            _ => {
                let outcome = client.parse()?;
                let verdict = judge(&case.meaning, &[], &outcome);
                let name = contestant.name;
                // The recover policy is free to repair.
                assert!(
                    contestant.group != Group::Ours || verdict == Verdict::Right && outcome == case.meaning,
                    "{name} is wrong on {} of {size} bytes, cut by {}",
                    input.name,
                    cut.name()
                );
                if verdict == Verdict::Error {
                    return Ok((None, Cell::Failed(outcome.error)));
                }
                verdict
            }
        };
        let time = estimate(&mut client)?;
        let doubling = best.as_ref().map(|half| time / half.median);
        best = Some(Measured {
            verdict,
            bytes: case.bytes,
            pieces: case.pieces(cut),
            full: size == input.size,
            median: time,
            quartiles: [time; 2],
            doubling,
        });
        if time * doubling.unwrap_or(2.0).max(2.0) > effort.cap {
            break;
        }
    }
    Ok((Some(client), best.map_or(Cell::Unfit, Cell::Measured)))
}

/// Nanoseconds a parse, the best of three.
fn estimate(client: &mut Client) -> io::Result<f64> {
    let once = client.time(1)?.max(1.0);
    if once > 50e6 {
        return Ok(once);
    }
    let times = (2e6 / once).ceil() as usize;
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        best = best.min(client.time(times)? / times as f64);
    }
    Ok(best.max(1.0))
}

/// Memory of one contestant.
pub(crate) struct Memory {
    /// Before any text.
    pub(crate) rest: usize,
    /// What parsing adds at most.
    pub(crate) growth: usize,
    pub(crate) bytes: usize,
}

/// Parses the largest transcript that fits the time, in token pieces, in a new process.
pub(crate) fn memory(
    contestant: &Contestant,
    input: &Input,
    cell: &Cell,
    cases: &mut Cases,
    effort: Effort,
) -> Option<Memory> {
    let Cell::Measured(measured) = cell else { return None };
    let mut size = (0..10)
        .map(|halvings| input.size >> halvings)
        .find(|&size| cases.get(input, size).bytes == measured.bytes)?;
    // Once, so it may take longer.
    let mut time = measured.median;
    while size < input.size && time * 4.0 < effort.cap * 5.0 {
        (size, time) = (size * 2, time * measured.doubling.unwrap_or(4.0).max(2.0));
    }
    let case = cases.get(input, size);
    let mut client = contestant.start_frugal().ok()?;
    // A tiny one first, so that what is set up once is there: a vocabulary, an interpreter's code.
    let tiny = cases.get(input, 8 << 10);
    client.load(&tiny, Cut::Token).ok()?;
    client.time(1).ok()?;
    let rest = client.memory(false)?;
    client.load(&case, Cut::Token).ok()?;
    client.reset_peak()?;
    let before = client.memory(false)?;
    client.time(1).ok()?;
    let growth = client.memory(true)?.saturating_sub(before);
    Some(Memory { rest, growth, bytes: case.bytes })
}
