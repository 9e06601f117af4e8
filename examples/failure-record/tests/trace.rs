//! A recorded trace is drawn as a record is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

#[path = "kit/recorded.rs"]
mod recorded;

use failure_record::command::{self, Failure};
use failure_record::trace::{Recorded, Unreadable};
use std::time::Duration;

fn read(text: &str) -> Recorded {
    Recorded::read(text, 20_000).unwrap()
}

fn figure(recorded: &Recorded, name: &str) -> String {
    let row = recorded.table.rows.iter().find(|row| row[0] == name);
    row.unwrap_or_else(|| panic!("{name}"))[1].clone()
}

#[test]
fn there_is_a_point_for_each_attempt_that_reached_the_leaf() {
    let (trace, sends) = recorded::group();
    let recorded = read(&trace.to_json_lines());
    assert_eq!(sends, 48, "a fifth of forty, and one owner");
    let calls = &recorded.picture.calls;
    assert_eq!((calls.points.len(), calls.requests), (48, 40));
    assert!(calls.points.is_sorted_by_key(|point| point.at));
    assert_eq!(calls.points.iter().filter(|point| point.is_retry).count(), 8);
    for request in calls.by_request() {
        assert_eq!(request[0], Duration::ZERO);
        assert!(request.iter().all(|at| *at < Duration::from_millis(107)), "{request:?}");
    }
    for (name, value) in [
        ("requests", "40"),
        ("leaf calls of all", "48"),
        ("most leaf calls of one request", "2"),
        ("retries", "8"),
        ("retries that a budget stopped", "40"),
        ("requests that succeed", "0"),
        ("requests that give up", "40"),
    ] {
        assert_eq!(figure(&recorded, name), value, "{name}");
    }
    let load: u64 = recorded.picture.loads[0].bars.iter().map(|bar| bar.first + bar.retries).sum();
    assert_eq!(load, 48);
}

#[test]
fn traces_of_several_processes_are_drawn_together() {
    let (one, other) = (recorded::group().0, recorded::group().0);
    let recorded = read(&(one.to_json_lines() + &other.to_json_lines()));
    assert_eq!((recorded.picture.calls.points.len(), recorded.picture.calls.requests), (96, 80));
}

#[test]
fn what_is_no_trace_is_refused_with_its_line() {
    let (trace, _) = recorded::group();
    let lines = trace.to_json_lines();
    let refused = |text: &str, most| Recorded::read(text, most).unwrap_err();
    let error = refused(&format!("{}\nnonsense", lines.lines().next().unwrap()), 20_000);
    assert!(error.to_string().starts_with("line 2 is no event"), "{error}");
    assert!(matches!(refused("", 20_000), Unreadable::Empty));
    assert!(matches!(refused(&lines, 47), Unreadable::TooMany(48, 47)));
}

/// No file makes the program follow calls in a circle.
#[test]
fn calls_that_claim_to_be_around_each_other_are_none() {
    let (trace, _) = recorded::group();
    let text = trace.to_json_lines();
    let started: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &serde_json::Value| line["event"]["call_started"].is_object())
        .collect();
    // An inner call begins again, around the one that makes it.
    let inner =
        started.iter().find(|line| line["event"]["call_started"]["parent"].is_u64()).unwrap();
    let outer = &inner["event"]["call_started"]["parent"];
    let mut circle = started.iter().find(|line| line["id"] == *outer).unwrap().clone();
    circle["event"]["call_started"]["parent"] = inner["id"].clone();
    // An altered line says so, unless it is not checked.
    circle.as_object_mut().unwrap().remove("check");
    let recorded = read(&format!("{text}{circle}\n"));
    assert_eq!(recorded.picture.calls.points.len(), 48);
}

#[test]
fn the_command_line_shows_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (trace, picture) = (folder.path().join("trace.jsonl"), folder.path().join("trace.svg"));
    std::fs::write(&trace, recorded::group().0.to_json_lines()).unwrap();
    let run = |more: &[&str]| {
        let mut out = Vec::new();
        let arguments = ["trace", trace.to_str().unwrap()].into_iter().chain(more.iter().copied());
        command::run(arguments.map(Into::into), &mut out).map(|()| String::from_utf8(out).unwrap())
    };
    let text = run(&["--svg", picture.to_str().unwrap()]).unwrap();
    assert!(text.contains("requests that give up") && text.contains('\u{2847}'), "{text}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert_eq!(svg.matches("<circle ").count(), 48);
    assert_eq!(run(&["--csv"]).unwrap().lines().count(), 49);
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"]).unwrap()).unwrap();
    assert_eq!(json["requests"].as_array().unwrap().len(), 40);

    std::fs::write(&trace, "nonsense").unwrap();
    let told = run(&[]).unwrap_err();
    assert!(matches!(told, Failure::Unreadable { .. }), "{told}");
    assert!(told.to_string().contains("trace.jsonl: line 1 is no event"), "{told}");
}
