//! The naive grammar is only worth comparing with if it knows the reference's answers itself.

mod naive;
mod support;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use support::soup::soup;
use support::transcripts::transcripts;
use support::vectors::{Row, rows};

fn outcome(row: &Row, input: &str) -> naive::Outcome {
    let content = if row.failed() { input } else { row.text("content") };
    naive::Outcome {
        failed: row.failed(),
        content: content.to_owned(),
        reasoning: row.text("reasoning").to_owned(),
        calls: row.calls().into_iter().map(|call| (call.name, call.arguments)).collect(),
    }
}

fn check(file: &str) {
    for row in rows(file) {
        assert_eq!(naive::parse(row.input()), outcome(&row, row.input()), "{}: {:?}", row.id(), row.input());
        assert_eq!(naive::is_harmony(row.input()), row.flag("is_harmony"), "{}: {:?}", row.id(), row.input());
    }
}

#[test]
fn knows_the_hand_made_rows() {
    check("harmony-cases.jsonl");
}

#[test]
fn knows_the_random_rows() {
    check("harmony-random.jsonl");
}

#[test]
fn knows_the_transcripts() {
    for turn in transcripts() {
        assert_eq!(naive::parse(&turn.text), outcome(&turn.expected, &turn.text), "{}", turn.name);
    }
}

/// Soups that all fail, or none, would show little of either path.
#[test]
fn soups_are_mixed() {
    let mut runner = TestRunner::deterministic();
    let soups = 2000;
    let (mut parsed, mut calls) = (0, 0);
    for _ in 0..soups {
        let outcome = naive::parse(&soup().new_tree(&mut runner).expect("a soup").current());
        parsed += usize::from(!outcome.failed);
        calls += outcome.calls.len();
    }
    assert!((soups / 5..soups * 4 / 5).contains(&parsed), "{parsed} of {soups} parse");
    assert!(calls > soups / 20, "only {calls} calls in {soups} soups");
}
