//! `docs/knobs.md`: its pictures, its commands and its numbers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

use failure_record::command;
use failure_record::knobs::KNOBS;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// What a command says, and what it draws.
struct Shown {
    command: String,
    scene: Value,
    drawn: String,
}

/// Each is simulated once for all tests.
static SHOWN: LazyLock<BTreeMap<&str, Shown>> = LazyLock::new(|| {
    let knobs = KNOBS.iter().map(|knob| (knob.name, format!("knob {}", knob.name)));
    let all = knobs.chain([("outage", "outage".to_owned())]);
    all.map(|(name, what)| (name, show(name, &what))).collect()
});

fn show(name: &str, what: &str) -> Shown {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let output = ["--json", "--svg", file.to_str().unwrap()];
    let mut out = Vec::new();
    command::run(what.split(' ').chain(output).map(Into::into), &mut out).unwrap();
    let command =
        format!("cargo run --example failure-record -- {what} --svg docs/knobs/{name}.svg");
    Shown {
        command,
        scene: serde_json::from_slice(&out).unwrap(),
        drawn: fs::read_to_string(&file).unwrap(),
    }
}

/// The points of a line.
fn line(name: &str, chart: usize, line: usize) -> Vec<(f64, f64)> {
    let points = &SHOWN[name].scene["charts"][chart]["lines"][line]["points"];
    serde_json::from_value(points.clone()).unwrap()
}

/// What it says at a position.
fn at(name: &str, chart: usize, line: usize, position: f64) -> f64 {
    let points = self::line(name, chart, line);
    points.into_iter().find(|(x, _)| *x == position).unwrap().1
}

#[test]
fn every_picture_is_what_its_command_draws() {
    let page = fs::read_to_string(docs().join("knobs.md")).unwrap();
    for (name, Shown { command, drawn, .. }) in &*SHOWN {
        assert!(page.contains(command), "{command}");
        assert!(page.contains(&format!("](knobs/{name}.svg)")), "{name}");
        let kept = fs::read_to_string(docs().join(format!("knobs/{name}.svg"))).unwrap();
        assert!(*drawn == kept, "the picture of {name} is not what this draws:\n{command}");
    }
}

fn near(value: f64, said: f64, by: f64) {
    assert!((value - said).abs() <= by, "{value}, and the page says {said}");
}

#[test]
fn a_tight_timeout_repeats_healthy_calls_and_a_loose_one_holds_them() {
    let at = |chart, line, position| at("attempt-timeout", chart, line, position);
    near(at(0, 0, 0.25), 1.41, 0.005);
    near(at(0, 0, 1.5), 1.0, 0.002);
    near(at(1, 0, 2.0), 296.0, 0.5);
    near(at(1, 0, 16.0), 1_814.0, 0.5);
}

#[test]
fn few_attempts_let_blips_through_and_many_multiply() {
    let at = |chart, line, position| at("attempts", chart, line, position);
    for (attempts, percent) in [(1.0, 9.8), (2.0, 1.0), (3.0, 0.09)] {
        near(at(0, 0, attempts), percent, percent / 20.0);
    }
    near(100.0 / (at(0, 0, 3.0) - at(0, 0, 4.0)), 1_500.0, 100.0);
    for (attempts, every) in [(3.0, 27.0), (6.0, 216.0)] {
        near(at(1, 0, attempts), every, 0.0);
        near(at(1, 1, attempts), attempts, 0.0);
    }
}

#[test]
fn short_waits_are_spent_in_the_fault_and_waits_without_jitter_end_together() {
    let at = |chart, line, position| at("backoff", chart, line, position);
    for line in [0, 1] {
        near(at(0, line, 20.0), 100.0, 0.0);
    }
    assert!(line("backoff", 1, 1).iter().all(|(_, peak)| *peak == 500.0));
    near(at(1, 0, 100.0), 76.0, 0.0);
    near(at(0, 0, 100.0), 33.3, 0.5);
    near(at(0, 1, 100.0), 0.0, 0.0);
    assert!(at(2, 0, 1_000.0) > 2_600.0);
}

#[test]
fn a_small_budget_stops_useful_retries_and_a_large_one_feeds_the_fire() {
    let at = |chart, line, position| at("budget", chart, line, position);
    near(at(0, 0, 0.1), 0.0, 0.05);
    near(at(0, 1, 0.1), 12.0, 0.2);
    near(at(0, 1, 0.2), 4.5, 0.1);
    near(at(0, 1, 0.3), 0.2, 0.02);
    for (ratio, sends) in line("budget", 1, 0) {
        near(sends, 1.0 + ratio, 1e-9);
    }
    near(at(1, 1, 0.2), 4.0, 0.0);
}

#[test]
fn a_server_comes_back_from_an_outage_with_a_budget_only() {
    let last = |line: usize| self::line("outage", 0, line).last().unwrap().1;
    assert!(last(1) < 40.0 && last(2) < 40.0 && last(3) > 350.0);
    let p99 = |row: usize| -> f64 {
        let cells = SHOWN["outage"].scene["table"]["rows"][row].as_array().unwrap();
        cells.last().unwrap().as_str().unwrap().trim_end_matches(" ms").parse().unwrap()
    };
    assert!(p99(3) < 100.0 && p99(4) < 100.0);
}
