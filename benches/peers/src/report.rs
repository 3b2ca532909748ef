//! The tables.

use std::fmt::Write;

use crate::contestant::{Contestant, Group};
use crate::correctness::Verdict;
use crate::inputs::{Cut, Input};
use crate::measure::{Cell, Measured, Memory};
use crate::recover;

/// All that was measured: `cells[cut][input][contestant]`.
pub(crate) struct Results {
    pub(crate) contestants: Vec<Contestant>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) cells: Vec<Vec<Vec<Cell>>>,
    pub(crate) memory: Vec<Option<Memory>>,
    pub(crate) recover: recover::Table,
    /// Machine, compiler, how thorough.
    pub(crate) about: String,
}

impl Results {
    pub(crate) fn cell(&self, cut: Cut, input: usize, contestant: usize) -> &Cell {
        &self.cells[cut as usize][input][contestant]
    }

    pub(crate) fn measured(&self, cut: Cut, input: usize, contestant: usize) -> Option<&Measured> {
        match self.cell(cut, input, contestant) {
            Cell::Measured(measured) => Some(measured),
            Cell::Unfit | Cell::Failed(_) => None,
        }
    }

    /// The first contestant is what all others are compared with.
    fn ours(&self, cut: Cut, input: usize) -> &Measured {
        self.measured(cut, input, 0).expect("we take everything")
    }

    fn find(&self, part: &str) -> usize {
        self.contestants.iter().position(|one| one.name.contains(part)).expect("it takes part")
    }

    /// The peer that is fastest, in its unit, and how.
    fn fastest(&self, cut: Cut, input: usize, right: bool) -> Option<(usize, &Measured)> {
        let peers = (0..self.contestants.len()).filter(|&one| self.contestants[one].group == Group::Peer);
        peers
            .filter_map(|one| Some((one, self.measured(cut, input, one)?)))
            .filter(|(_, measured)| !right || measured.verdict == Verdict::Right)
            .min_by(|a, b| per_byte(a.1).total_cmp(&per_byte(b.1)))
    }
}

fn per_byte(measured: &Measured) -> f64 {
    measured.median / measured.bytes as f64
}

pub(crate) fn markdown(results: &Results) -> String {
    let mut text = String::from("# Beside the others\n\n");
    let _ = writeln!(text, "{}\n", results.about);
    text.push_str("![The chart](chart.svg)\n\n");
    text.push_str(
        "Each number is a median of processor time. In brackets: how many times slower than harmony-stream from Rust \
         (first row) at the same. **✗** the result is wrong; *size* measured at a smaller size, because the full one \
         takes too long; `error` the parser gave up; – it does not take such input.\n\n",
    );
    targets(&mut text, results);
    for (cut, title) in [
        (Cut::Token, "Pieces of one token: ns a piece"),
        (Cut::Bytes64, "Pieces of 64 bytes: ns a piece"),
        (Cut::Bytes4096, "Pieces of 4 KB: MB/s"),
        (Cut::Whole, "The whole text at once: MB/s"),
    ] {
        speeds(&mut text, results, cut, title);
    }
    doublings(&mut text, results);
    memory(&mut text, results);
    verdicts(&mut text, results);
    broken(&mut text, results);
    missing(&mut text, results);
    text
}

fn head(text: &mut String, first: &str, columns: impl Iterator<Item = String>) {
    let columns: Vec<String> = columns.collect();
    let _ = writeln!(text, "| {first} | {} |", columns.join(" | "));
    let _ = writeln!(text, "| --- |{}", " ---: |".repeat(columns.len()));
}

fn inputs(results: &Results) -> impl Iterator<Item = String> {
    results.inputs.iter().map(|input| input.name.to_owned())
}

fn targets(text: &mut String, results: &Results) {
    text.push_str("## Against the targets\n\nHow many times faster harmony-stream from Rust is. Targets: at token pieces 5 times the fastest peer and 25 times openai-harmony, at once 3 times the fastest peer. One that is wrong has often not read the text to its end.\n\n");
    head(text, "", inputs(results));
    let openai = results.find("openai");
    let row = |text: &mut String, name: &str, target: f64, cell: &dyn Fn(usize) -> Option<(f64, String)>| {
        let cells: Vec<String> = (0..results.inputs.len())
            .map(|input| match cell(input) {
                Some((ratio, note)) if ratio < target => format!("**{} missed**{note}", short(ratio)),
                Some((ratio, note)) => format!("{}{note}", short(ratio)),
                None => "–".to_owned(),
            })
            .collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    let against = |cut: Cut, right: bool| {
        move |input: usize| {
            let (one, measured) = results.fastest(cut, input, right)?;
            let name = results.contestants[one].name.split(' ').next().unwrap_or_default();
            Some((per_byte(measured) / per_byte(results.ours(cut, input)), format!(" {name}")))
        }
    };
    row(text, "token pieces, fastest peer that is right", 5.0, &against(Cut::Token, true));
    row(text, "token pieces, fastest peer, even one that is wrong", 5.0, &against(Cut::Token, false));
    row(text, "token pieces, openai-harmony", 25.0, &|input| {
        let measured = results.measured(Cut::Token, input, openai)?;
        Some((per_byte(measured) / per_byte(results.ours(Cut::Token, input)), String::new()))
    });
    row(text, "at once, fastest peer that is right", 3.0, &against(Cut::Whole, true));
    row(text, "at once, fastest peer, even one that is wrong", 3.0, &against(Cut::Whole, false));
    let recover = results.find("recover");
    let ratio = |cut: Cut| {
        move |input: usize| {
            let other = results.measured(cut, input, recover)?;
            Some((per_byte(other) / per_byte(results.ours(cut, input)), String::new()))
        }
    };
    row(text, "the recover policy, token pieces", 0.0, &ratio(Cut::Token));
    row(text, "the recover policy, at once", 0.0, &ratio(Cut::Whole));
    text.push('\n');
}

fn speeds(text: &mut String, results: &Results, cut: Cut, title: &str) {
    let _ = writeln!(text, "## {title}\n");
    head(text, "", inputs(results));
    for (one, contestant) in results.contestants.iter().enumerate() {
        if contestant.missing.is_some() || !contestant.cuts.contains(&cut) {
            continue;
        }
        let cells: Vec<String> = (0..results.inputs.len())
            .map(|input| match results.cell(cut, input, one) {
                Cell::Unfit => "–".to_owned(),
                Cell::Failed(_) => "error".to_owned(),
                Cell::Measured(measured) => speed(measured, cut, results.ours(cut, input), one == 0),
            })
            .collect();
        let _ = writeln!(text, "| {} | {} |", contestant.name, cells.join(" | "));
    }
    text.push('\n');
}

fn speed(measured: &Measured, cut: Cut, ours: &Measured, first: bool) -> String {
    let value = match cut {
        Cut::Token | Cut::Bytes64 => measured.ns_a_piece(),
        Cut::Bytes4096 | Cut::Whole => measured.mb_a_second(),
    };
    let mut cell = short(value);
    if !first {
        let _ = write!(cell, " ({}×)", short(per_byte(measured) / per_byte(ours)));
    }
    if measured.verdict != Verdict::Right {
        cell.push_str(" **✗**");
    }
    if !measured.full {
        let _ = write!(cell, " *{}*", size(measured.bytes));
    }
    cell
}

fn doublings(text: &mut String, results: &Results) {
    text.push_str("## Twice the text: how many times the time\n\nToken pieces, the last doubling that was measured. 2 is linear, 4 is quadratic; what the cache no longer holds costs more too.\n\n");
    head(text, "", inputs(results));
    for (one, contestant) in results.contestants.iter().enumerate() {
        if contestant.missing.is_some() || !contestant.cuts.contains(&Cut::Token) {
            continue;
        }
        let cells: Vec<String> = (0..results.inputs.len())
            .map(|input| match results.measured(Cut::Token, input, one) {
                Some(Measured { doubling: Some(ratio), .. }) => format!("{ratio:.1}"),
                _ => "–".to_owned(),
            })
            .collect();
        let _ = writeln!(text, "| {} | {} |", contestant.name, cells.join(" | "));
    }
    text.push('\n');
}

fn memory(text: &mut String, results: &Results) {
    text.push_str("## Peak memory\n\nToken pieces of the largest input. At rest: the program, its interpreter and its vocabulary. Growth: what one parse adds at most; the text itself and its list of pieces are not in it.\n\n");
    head(text, "", ["at rest", "growth", "of text", "growth a byte"].map(str::to_owned).into_iter());
    for (contestant, memory) in results.contestants.iter().zip(&results.memory) {
        if let Some(memory) = memory {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {:.1} |",
                contestant.name,
                size(memory.rest),
                size(memory.growth),
                size(memory.bytes),
                memory.growth as f64 / memory.bytes as f64
            );
        }
    }
    text.push('\n');
}

fn verdicts(text: &mut String, results: &Results) {
    text.push_str("## Right or wrong\n\nOf sound transcripts, cut by token, by 64 bytes, by 4 KB and not at all. One word: it holds for all of them.\n\n");
    head(text, "", inputs(results));
    for (one, contestant) in results.contestants.iter().enumerate() {
        if contestant.missing.is_some() || contestant.group == Group::Limit {
            continue;
        }
        let cells: Vec<String> = (0..results.inputs.len()).map(|input| words(results, input, one)).collect();
        let _ = writeln!(text, "| {} | {} |", contestant.name, cells.join(" | "));
    }
    text.push('\n');
    let mut reasons = String::new();
    for (one, contestant) in results.contestants.iter().enumerate() {
        for (input, made) in results.inputs.iter().enumerate() {
            for cut in Cut::ALL {
                if let Cell::Failed(reason) = results.cell(cut, input, one) {
                    let reason: String =
                        reason.chars().take(120).map(|c| if c.is_control() { ' ' } else { c }).collect();
                    let _ = writeln!(
                        reasons,
                        "* {}, {}, {}: `{}`",
                        contestant.name,
                        made.name,
                        cut.name(),
                        reason.replace('`', "'")
                    );
                }
            }
        }
    }
    if !reasons.is_empty() {
        let _ = writeln!(text, "What they gave up with:\n\n{reasons}");
    }
}

fn words(results: &Results, input: usize, one: usize) -> String {
    let words: Vec<(Cut, &str)> = Cut::ALL
        .into_iter()
        .filter_map(|cut| match results.cell(cut, input, one) {
            Cell::Unfit => None,
            Cell::Failed(_) => Some((cut, Verdict::Error.name())),
            Cell::Measured(measured) => Some((cut, measured.verdict.name())),
        })
        .collect();
    let Some((_, first)) = words.first() else { return "–".to_owned() };
    if words.iter().all(|(_, word)| word == first) {
        return (*first).to_owned();
    }
    words.iter().map(|(cut, word)| format!("{}: {word}", cut.name())).collect::<Vec<_>>().join("<br>")
}

fn broken(text: &mut String, results: &Results) {
    let table = &results.recover;
    let _ = writeln!(
        text,
        "## Broken transcripts\n\nWhat each makes of the {} broken transcripts of `tests/vectors/recover-cases.jsonl`, in token pieces. \"Right\" is what those vectors say; a peer has no word for a call that must not be run, so for it leaving such a call out is right.\n",
        table.rows.len()
    );
    head(text, "", Verdict::ALL.iter().map(|verdict| verdict.name().to_owned()));
    for (one, name) in table.names.iter().enumerate() {
        let cells: Vec<String> = Verdict::ALL
            .iter()
            .map(|verdict| {
                table.rows.iter().filter(|row| row.verdicts[one] == Some(*verdict)).count().to_string()
            })
            .collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text.push_str("\n<details><summary>Each of them</summary>\n\n");
    head(
        text,
        "what is broken",
        table.names.iter().map(|name| name.split(' ').next().unwrap_or_default().to_owned()),
    );
    for row in &table.rows {
        let cells: Vec<&str> =
            row.verdicts.iter().map(|verdict| verdict.map_or("–", Verdict::name)).collect();
        let shape = row.shape.replace('|', "\\|").replace('<', "&lt;");
        let _ = writeln!(text, "| {} {shape} | {} |", row.id, cells.join(" | "));
    }
    text.push_str("\n</details>\n\n");
}

fn missing(text: &mut String, results: &Results) {
    text.push_str("## Who is missing\n\n");
    let before = text.len();
    for contestant in &results.contestants {
        if let Some(reason) = &contestant.missing {
            let _ = writeln!(text, "* {}: {reason}", contestant.name);
        }
    }
    if text.len() == before {
        text.push_str("Nobody.\n");
    }
}

/// Three digits.
pub(crate) fn short(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => {
            let digits = format!("{v:.0}");
            let mut text = String::new();
            for (at, digit) in digits.chars().enumerate() {
                if at > 0 && (digits.len() - at).is_multiple_of(3) {
                    text.push(',');
                }
                text.push(digit);
            }
            text
        }
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        b if b < 1 << 20 => format!("{:.0} KB", b as f64 / 1024.0),
        b => format!("{:.1} MB", b as f64 / f64::from(1 << 20)),
    }
}
