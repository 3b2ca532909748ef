//! harmony-stream beside the other parsers of the harmony format. See the README; `run` builds and starts this.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use crate::contestant::Contestant;
use crate::inputs::Cut;
use crate::measure::{Cases, Effort, measure, memory};
use crate::report::Results;

mod chart;
mod contestant;
mod correctness;
mod inputs;
mod measure;
mod peers;
mod recover;
mod report;
mod serve;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["serve", name] => peers::run(name),
        ["compare", programs, results] => compare(Path::new(programs), Path::new(results), false),
        ["compare", programs, results, "--quick"] => compare(Path::new(programs), Path::new(results), true),
        _ => Err(std::io::Error::other("start `run` instead")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(programs: &Path, to: &Path, quick: bool) -> std::io::Result<()> {
    let folder = Temporary::new()?;
    let effort = Effort::new(quick);
    let contestants = Contestant::all(programs);
    let inputs = inputs::all(quick);
    let mut cases = Cases::new(&folder.0);

    eprintln!("broken transcripts");
    let recover =
        recover::table(&contestants, Path::new("../../tests/vectors/recover-cases.jsonl"), &folder.0);
    let mut cells = Vec::new();
    for cut in Cut::ALL {
        let mut row = Vec::new();
        for input in &inputs {
            eprintln!("{}, cut: {}", input.name, cut.name());
            row.push(measure(&contestants, input, cut, &mut cases, effort));
        }
        cells.push(row);
    }
    eprintln!("memory");
    let large = inputs.len() - 1;
    let mut memories = Vec::new();
    for (one, contestant) in contestants.iter().enumerate() {
        let cell = &cells[Cut::Token as usize][large][one];
        memories.push(memory(contestant, &inputs[large], cell, &mut cases, effort));
    }

    let about = about(quick);
    let results = Results { contestants, inputs, cells, memory: memories, recover, about };
    fs::create_dir_all(to)?;
    fs::write(to.join("RESULTS.md"), report::markdown(&results))?;
    chart::draw(&results, &to.join("chart.svg")).map_err(std::io::Error::other)
}

fn about(quick: bool) -> String {
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        text.lines().find_map(|line| {
            Some(line.strip_prefix("model name")?.trim_start_matches([' ', '\t', ':']).to_owned())
        })
    });
    let version = |program: &str, argument: &str| {
        let output = Command::new(program).arg(argument).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        text.lines().next().map(str::to_owned)
    };
    let all = [
        processor,
        version("rustc", "--version"),
        version("c++", "--version"),
        version("go", "version"),
        version("python3", "--version"),
    ];
    let kind = if quick { "A quick run: few samples, a smaller largest input." } else { "A full run." };
    format!("{kind} On: {}.", all.into_iter().flatten().collect::<Vec<_>>().join("; "))
}

/// A folder that goes when the run ends.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> std::io::Result<Temporary> {
        let path = env::temp_dir().join(format!("harmony-peers-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
