//! `docs/knobs.md`: its pictures, its commands and its numbers.

use failure_record::chart::Scene;
use failure_record::knobs::{KNOBS, Knob};
use failure_record::watch::nobody;
use failure_record::{command, outage};
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn scene(name: &str) -> Scene {
    let knob: &Knob = KNOBS.iter().find(|knob| knob.name == name).unwrap();
    knob.scene(nobody).unwrap()
}

/// What a line says at a position.
fn at(scene: &Scene, chart: usize, line: usize, position: f64) -> f64 {
    let points = &scene.charts[chart].lines[line].points;
    points.iter().find(|(x, _)| *x == position).unwrap().1
}

#[test]
fn every_picture_is_what_its_command_draws() {
    let page = fs::read_to_string(docs().join("knobs.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let names = KNOBS.iter().map(|knob| (knob.name, vec!["knob", knob.name]));
    for (name, mut arguments) in names.chain([("outage", vec!["outage"])]) {
        let picture = format!("knobs/{name}.svg");
        let command = format!(
            "cargo run --example failure-record -- {} --svg docs/{picture}",
            arguments.join(" ")
        );
        assert!(page.contains(&command), "{command}");
        assert!(page.contains(&format!("]({picture})")), "{picture}");
        arguments.extend(["--svg", file.to_str().unwrap()]);
        command::run(arguments.iter().map(Into::into), &mut Vec::new()).unwrap();
        let drawn = fs::read_to_string(&file).unwrap();
        let kept = fs::read_to_string(docs().join(&picture)).unwrap();
        assert!(drawn == kept, "docs/{picture} is not what this draws:\n{command}");
    }
}

fn near(value: f64, said: f64, by: f64) {
    assert!((value - said).abs() <= by, "{value}, and the page says {said}");
}

#[test]
fn a_tight_timeout_repeats_healthy_calls_and_a_loose_one_holds_them() {
    let scene = scene("attempt-timeout");
    near(at(&scene, 0, 0, 0.25), 1.41, 0.005);
    near(at(&scene, 0, 0, 1.5), 1.0, 0.002);
    near(at(&scene, 1, 0, 2.0), 296.0, 0.5);
    near(at(&scene, 1, 0, 16.0), 1_814.0, 0.5);
}

#[test]
fn few_attempts_let_blips_through_and_many_multiply() {
    let scene = scene("attempts");
    for (attempts, percent) in [(1.0, 9.8), (2.0, 1.0), (3.0, 0.09)] {
        near(at(&scene, 0, 0, attempts), percent, percent / 20.0);
    }
    near(100.0 / (at(&scene, 0, 0, 3.0) - at(&scene, 0, 0, 4.0)), 1_500.0, 100.0);
    for (attempts, every) in [(3.0, 27.0), (6.0, 216.0)] {
        near(at(&scene, 1, 0, attempts), every, 0.0);
        near(at(&scene, 1, 1, attempts), attempts, 0.0);
    }
}

#[test]
fn short_waits_are_spent_in_the_fault_and_waits_without_jitter_end_together() {
    let scene = scene("backoff");
    for line in [0, 1] {
        near(at(&scene, 0, line, 20.0), 100.0, 0.0);
    }
    assert!(scene.charts[1].lines[1].points.iter().all(|(_, peak)| *peak == 500.0));
    near(at(&scene, 1, 0, 100.0), 76.0, 0.0);
    near(at(&scene, 0, 0, 100.0), 33.3, 0.5);
    near(at(&scene, 0, 1, 100.0), 0.0, 0.0);
    assert!(at(&scene, 2, 0, 1_000.0) > 2_600.0);
}

#[test]
fn a_small_budget_stops_useful_retries_and_a_large_one_feeds_the_fire() {
    let scene = scene("budget");
    near(at(&scene, 0, 0, 0.1), 0.0, 0.05);
    near(at(&scene, 0, 1, 0.1), 12.0, 0.2);
    near(at(&scene, 0, 1, 0.2), 4.5, 0.1);
    near(at(&scene, 0, 1, 0.3), 0.2, 0.02);
    for (ratio, sends) in &scene.charts[1].lines[0].points {
        near(*sends, 1.0 + ratio, 1e-9);
    }
    near(at(&scene, 1, 1, 0.2), 4.0, 0.0);
}

#[test]
fn a_server_comes_back_from_an_outage_with_a_budget_only() {
    let scene = outage::scene(nobody).unwrap();
    let last = |line: usize| scene.charts[0].lines[line].points.last().unwrap().1;
    assert!(last(1) < 40.0 && last(2) < 40.0 && last(3) > 350.0);
    let p99 = |row: usize| -> f64 {
        scene.table.rows[row].last().unwrap().trim_end_matches(" ms").parse().unwrap()
    };
    assert!(p99(3) < 100.0 && p99(4) < 100.0);
}
