//! What each makes of the broken transcripts of `tests/vectors/recover-cases.jsonl`.

use std::fs;
use std::path::Path;

use harmony_stream::{Collector, Options, Parser, Start, Status};
use serde_json::Value;

use crate::contestant::{Contestant, Group};
use crate::correctness::{Outcome, Verdict, judge};
use crate::inputs::{Case, Cut};

pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) shape: String,
    /// By contestant, ourselves first; `None` if it is missing.
    pub(crate) verdicts: Vec<Option<Verdict>>,
}

pub(crate) struct Table {
    pub(crate) names: Vec<&'static str>,
    pub(crate) rows: Vec<Row>,
}

pub(crate) fn table(contestants: &[Contestant], vectors: &Path, folder: &Path) -> Table {
    let text = fs::read_to_string(vectors).expect("the vectors are part of the repository");
    let vectors: Vec<Vector> = text.lines().map(Vector::read).collect();
    let mut table = Table { names: vec!["harmony-stream"], rows: Vec::new() };
    for vector in &vectors {
        let ours = vector.ours();
        assert!(ours == vector.meaning, "harmony-stream is wrong on {}: {ours:?}", vector.id);
        let (id, shape) = (vector.id.clone(), vector.shape.clone());
        table.rows.push(Row { id, shape, verdicts: vec![Some(Verdict::Right)] });
    }
    for contestant in contestants.iter().filter(|one| one.group == Group::Peer && one.missing.is_none()) {
        table.names.push(contestant.name);
        let mut client = contestant.start(Cut::Token).ok();
        for (vector, row) in vectors.iter().zip(&mut table.rows) {
            let case = Case::of_text(&vector.id, &vector.stream(), vector.meaning.clone(), folder);
            let got =
                client.as_mut().map(|client| client.load(&case, Cut::Token).and_then(|()| client.parse()));
            // One that died with it gave up, in its way.
            row.verdicts.push(match got {
                Some(Ok(outcome)) => Some(vector.judge(&outcome)),
                Some(Err(_)) => {
                    client = contestant.start(Cut::Token).ok();
                    Some(Verdict::Error)
                }
                None => None,
            });
        }
    }
    table
}

struct Vector {
    id: String,
    shape: String,
    start: Start,
    input: String,
    meaning: Outcome,
    /// Calls of the meaning that must not be run.
    unsafe_calls: Vec<(String, String)>,
}

impl Vector {
    fn read(line: &str) -> Vector {
        let row: Value = serde_json::from_str(line).expect("each line is JSON");
        let text = |value: &Value| value.as_str().expect("it is a string").to_owned();
        let mut meaning = Outcome {
            content: text(&row["content"]),
            reasoning: text(&row["reasoning"]),
            ..Outcome::default()
        };
        let mut unsafe_calls = Vec::new();
        for call in row["tool_calls"].as_array().expect("it is an array") {
            let pair = (text(&call["name"]), text(&call["arguments"]));
            if call["status"] != "complete" {
                unsafe_calls.push(pair.clone());
            }
            meaning.calls.push(pair);
        }
        let start = match row["start"].as_str() {
            Some("assistant_header") => Start::AssistantHeader,
            Some("analysis_body") => Start::AnalysisBody,
            Some("final_body") => Start::FinalBody,
            _ => Start::Detect,
        };
        Vector {
            id: text(&row["id"]),
            shape: text(&row["shape"]),
            start,
            input: text(&row["input"]),
            meaning,
            unsafe_calls,
        }
    }

    fn ours(&self) -> Outcome {
        let mut parser = Parser::<str>::new(Options::lenient().start(self.start));
        let mut collector = Collector::<str>::new();
        parser.push(&self.input).expect("it is open").for_each(|event| collector.add(&event));
        parser.finish().expect("it is open").for_each(|event| collector.add(&event));
        let parsed = collector.finish();
        let safe = parsed.tool_calls.iter().filter(|call| call.status == Status::Complete).count();
        assert_eq!(safe + self.unsafe_calls.len(), self.meaning.calls.len(), "statuses of {}", self.id);
        Outcome {
            content: parsed.content.into_owned(),
            reasoning: parsed.reasoning.into_owned(),
            calls: parsed
                .tool_calls
                .into_iter()
                .map(|call| (call.name.into(), call.arguments.into()))
                .collect(),
            error: String::new(),
        }
    }

    /// The text as a peer gets it. They know one beginning: behind `<|start|>assistant`.
    fn stream(&self) -> String {
        let text = self.input.strip_prefix("<|start|>assistant").unwrap_or(&self.input);
        match self.start {
            Start::AnalysisBody => format!("<|channel|>analysis<|message|>{}", self.input),
            Start::FinalBody => format!("<|channel|>final<|message|>{}", self.input),
            _ => text.to_owned(),
        }
    }

    /// A peer has no word for a call that must not be run: it is right to leave it out, and wrong to return it.
    fn judge(&self, got: &Outcome) -> Verdict {
        let mut meaning = self.meaning.clone();
        meaning.calls.retain(|call| !self.unsafe_calls.contains(call));
        judge(&meaning, &self.unsafe_calls, got)
    }
}
