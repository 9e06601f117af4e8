//! docs/events.md and its pictures are of the recording that lies beside them.

use crate::scene::{Scene, in_virtual_time};
use retry_runtime::{Trace, record};
use serde_json::Value;
use std::collections::BTreeSet;

const RECORDED: &str = include_str!("../../docs/trace.jsonl");
const PAGE: &str = include_str!("../../docs/events.md");

#[test]
fn a_recording_that_is_kept_is_a_test() -> Result<(), Box<dyn std::error::Error>> {
    let trace = Trace::from_json_lines(include_str!("../../docs/trace.jsonl"))?;
    assert_eq!(trace.replay()?, 5);
    Ok(())
}

#[test]
fn the_pictures_are_of_the_recording() {
    let trace = Trace::from_json_lines(RECORDED).unwrap();
    assert_eq!(trace.to_string(), include_str!("../../docs/trace.txt"));
    assert_eq!(trace.to_svg(), include_str!("../../docs/trace.svg"));
}

#[test]
fn the_page_names_every_event() {
    let mut names = BTreeSet::new();
    for seed in 0..100 {
        let scene = Scene::random(seed, 20, |downstream| downstream);
        let (_, trace) = in_virtual_time(async { record(scene.run()).await });
        for line in trace.to_json_lines().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            names.insert(match &line["event"] {
                Value::String(name) => name.clone(),
                event => event.as_object().unwrap().keys().next().unwrap().clone(),
            });
        }
    }
    // Each of them happens in a scene.
    assert_eq!(names.len(), 13, "{names:?}");
    for name in &names {
        assert!(PAGE.contains(&format!("| `{name}` |")), "{name} is not on the page");
    }
}
