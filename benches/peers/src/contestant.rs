//! Who takes part, and how to talk to one. Each is a program of its own, so that none can disturb another's memory,
//! and all speak the same small protocol (see the README).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::correctness::Outcome;
use crate::inputs::{Case, Cut};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Ours,
    Peer,
    /// Our one-shot parser, misused.
    Reparse,
    Limit,
}

pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    /// What it can be given.
    pub(crate) cuts: &'static [Cut],
    /// Command lines: for pieces, and for whole texts.
    pieces: Vec<String>,
    whole: Vec<String>,
    /// Why it does not take part.
    pub(crate) missing: Option<String>,
}

impl Contestant {
    /// Everybody. `programs` is where `run` put what it built, and why it could not build the others.
    pub(crate) fn all(programs: &Path) -> Vec<Contestant> {
        let this = env::current_exe().expect("a program has a path").display().to_string();
        let rust = |pieces: &str, whole: &str| {
            (
                vec![this.clone(), "serve".into(), pieces.into()],
                vec![this.clone(), "serve".into(), whole.into()],
            )
        };
        let built = |name: &str| {
            let program = programs.join(name).display().to_string();
            (vec![program.clone()], vec![program, "whole".to_owned()])
        };
        let python = {
            let line = vec![
                "python3".into(),
                "programs/sglang.py".into(),
                programs.join("sglang").display().to_string(),
            ];
            (line.clone(), line)
        };
        let missing = |name: &str| fs::read_to_string(programs.join(name).with_extension("missing")).ok();
        let all = &Cut::ALL[..];
        let ids = &[Cut::Token, Cut::Whole][..];
        let whole = &[Cut::Whole][..];
        let make = |name, group, cuts, (pieces, whole), missing: Option<String>| Contestant {
            name,
            group,
            cuts,
            pieces,
            whole,
            missing: missing.map(|reason| reason.trim().to_owned()),
        };
        vec![
            make("harmony-stream, Rust", Group::Ours, all, rust("ours", "ours-whole"), None),
            make(
                "harmony-stream, Rust, recover",
                Group::Ours,
                all,
                rust("ours-recover", "ours-whole-recover"),
                None,
            ),
            make("harmony-stream, C", Group::Ours, all, built("c"), missing("c")),
            make("harmony-stream, C++", Group::Ours, all, built("cpp"), missing("cpp")),
            make("harmony-stream, Go", Group::Ours, all, built("go"), missing("go")),
            make(
                "openai-harmony 0.0.8 (Rust)",
                Group::Peer,
                ids,
                rust("openai", "openai-whole"),
                missing("openai"),
            ),
            make(
                "dynamo-parsers 11.0.1 (Rust)",
                Group::Peer,
                all,
                rust("dynamo", "dynamo-whole"),
                missing("dynamo"),
            ),
            make("Ollama 0.17.4 (Go)", Group::Peer, all, built("ollama"), missing("ollama")),
            make("SGLang 0.5.23 (Python)", Group::Peer, all, python, missing("sglang")),
            make(
                "llama.cpp of llama-cpp-sys-2 0.1.161 (C++)",
                Group::Peer,
                all,
                built("llama"),
                missing("llama"),
            ),
            make(
                "naive: all anew at every piece",
                Group::Reparse,
                &Cut::ALL[..3],
                rust("reparse", "reparse"),
                None,
            ),
            make("limit: memcpy", Group::Limit, all, rust("memcpy", "memcpy"), None),
            make("limit: memmem", Group::Limit, whole, rust("memmem", "memmem"), None),
            make("limit: simdutf8", Group::Limit, whole, rust("simdutf8", "simdutf8"), None),
            make(
                "limit: serde_json (arguments)",
                Group::Limit,
                whole,
                rust("serde_json", "serde_json"),
                None,
            ),
        ]
    }

    /// Starts it, for pieces or for whole texts.
    pub(crate) fn start(&self, cut: Cut) -> io::Result<Client> {
        Client::start(if cut == Cut::Whole { &self.whole } else { &self.pieces }, &[])
    }

    /// Starts it so that memory which was freed does not hide what is taken later (with glibc).
    pub(crate) fn start_frugal(&self) -> io::Result<Client> {
        Client::start(&self.pieces, &[("MALLOC_MMAP_THRESHOLD_", "65536"), ("MALLOC_TRIM_THRESHOLD_", "0")])
    }
}

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running contestant.
pub(crate) struct Client {
    child: Arc<Mutex<Child>>,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// When the watchdog ends it.
    deadline: Arc<Mutex<Option<Instant>>>,
}

impl Client {
    fn start(line: &[String], variables: &[(&str, &str)]) -> io::Result<Client> {
        let mut child = Command::new(&line[0])
            .args(&line[1..])
            .envs(variables.iter().copied())
            // One thread, so that processor time is all the work there is.
            .env("GOMAXPROCS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let requests = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let child = Arc::new(Mutex::new(child));
        let deadline = Arc::new(Mutex::new(None));
        watch(Arc::downgrade(&child), Arc::clone(&deadline));
        Ok(Client { child, requests, answers, deadline })
    }

    pub(crate) fn load(&mut self, case: &Case, cut: Cut) -> io::Result<()> {
        self.ask(&format!("load\t{}\t{}", case.stem().display(), cut.name()))?;
        self.line().map(|_| ())
    }

    /// Nanoseconds of processor time for this many parses.
    pub(crate) fn time(&mut self, times: usize) -> io::Result<f64> {
        self.ask(&format!("time\t{times}"))?;
        let line = self.line()?;
        let spent = line.split(' ').next().and_then(|word| word.parse().ok());
        spent.ok_or_else(|| io::Error::other(format!("an answer without a time: {line}")))
    }

    pub(crate) fn parse(&mut self) -> io::Result<Outcome> {
        self.ask("parse")?;
        let mut outcome = Outcome::default();
        loop {
            let head = self.line()?;
            let (name, length) =
                head.split_once(' ').ok_or_else(|| io::Error::other("a field without a length"))?;
            let mut text = vec![0; length.parse::<usize>().map_err(io::Error::other)? + 1];
            self.answers.read_exact(&mut text)?;
            text.pop();
            let text = String::from_utf8_lossy(&text).into_owned();
            match name {
                "content" => outcome.content = text,
                "reasoning" => outcome.reasoning = text,
                "name" => outcome.calls.push((text, String::new())),
                "arguments" => {
                    if let Some(call) = outcome.calls.last_mut() {
                        call.1 = text;
                    }
                }
                "error" => outcome.error = text,
                _ => return Ok(outcome),
            }
        }
    }

    /// Bytes resident now, or at most since [`reset_peak`](Self::reset_peak) (Linux only).
    pub(crate) fn memory(&self, peak: bool) -> Option<usize> {
        let status = fs::read_to_string(self.proc().join("status")).ok()?;
        let field = if peak { "VmHWM:" } else { "VmRSS:" };
        let line = status.lines().find_map(|line| line.strip_prefix(field))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? << 10)
    }

    pub(crate) fn reset_peak(&self) -> Option<()> {
        fs::write(self.proc().join("clear_refs"), "5").ok()
    }

    fn proc(&self) -> PathBuf {
        Path::new("/proc").join(self.child.lock().expect("nobody panics with it").id().to_string())
    }

    fn ask(&mut self, request: &str) -> io::Result<()> {
        *self.deadline.lock().expect("nobody panics with it") = Some(Instant::now() + PATIENCE);
        writeln!(self.requests, "{request}")?;
        self.requests.flush()
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(io::Error::other("it ended, or gave no answer within a minute"));
        }
        *self.deadline.lock().expect("nobody panics with it") = None;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let mut child = self.child.lock().expect("nobody panics with it");
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Ends a child that keeps its answer past the deadline.
fn watch(child: std::sync::Weak<Mutex<Child>>, deadline: Arc<Mutex<Option<Instant>>>) {
    thread::spawn(move || {
        while let Some(child) = child.upgrade() {
            let late = deadline.lock().expect("nobody panics with it").is_some_and(|at| at < Instant::now());
            if late {
                let _ = child.lock().expect("nobody panics with it").kill();
                return;
            }
            drop(child);
            thread::sleep(Duration::from_millis(500));
        }
    });
}
