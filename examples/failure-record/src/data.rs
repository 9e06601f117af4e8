//! The numbers for other programs: JSON and CSV.

use crate::anatomy::{Anatomy, Side};
use crate::chart::Scene;
use crate::figures::FIGURES;
use crate::picture::Calls;
use crate::trace::Recorded;
use serde_json::{Map, Value, json};
use std::io;
use std::time::Duration;

/// A record as JSON: its fields, the figures of both sides, and for each request when it called the
/// leaf, in milliseconds.
#[must_use]
pub fn record_json(anatomy: &Anatomy) -> Value {
    json!({
        "record": fields(&anatomy.chosen),
        "figures": figures(&anatomy.chosen),
        "lockstep": figures(&anatomy.lockstep),
        "requests": requests(&Calls::of(&anatomy.chosen)),
    })
}

/// The fields as they are written.
#[must_use]
pub fn fields(side: &Side) -> Map<String, Value> {
    side.record.written().into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
}

/// The figures by their keys.
#[must_use]
pub fn figures(side: &Side) -> Map<String, Value> {
    FIGURES.iter().map(|figure| (figure.key.to_owned(), json!((figure.of)(side)))).collect()
}

/// A trace as JSON: its figures, and for each request when it called the leaf, in milliseconds.
#[must_use]
pub fn trace_json(recorded: &Recorded) -> Value {
    json!({ "figures": recorded.table, "requests": requests(&recorded.picture.calls) })
}

fn requests(calls: &Calls) -> Vec<Vec<f64>> {
    let millis =
        |request: Vec<Duration>| request.into_iter().map(|at| at.as_secs_f64() * 1e3).collect();
    calls.by_request().into_iter().map(millis).collect()
}

/// The calls of the leaf as CSV, one a line.
///
/// # Errors
///
/// What `out` says.
pub fn calls_csv(calls: &Calls, out: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["request", "leaf_call", "at_ms"])?;
    for (request, calls) in (1..).zip(requests(calls)) {
        for (call, at) in (1..).zip(calls) {
            csv.serialize::<(u64, u64, f64)>((request, call, at))?;
        }
    }
    csv.flush()
}

/// The lines of a scene as CSV, one point a line.
///
/// # Errors
///
/// What `out` says.
pub fn scene_csv(scene: &Scene, out: impl io::Write) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["chart", "line", "x", "y"])?;
    for chart in &scene.charts {
        for line in &chart.lines {
            for (x, y) in &line.points {
                csv.serialize((&chart.title, &line.name, x, y))?;
            }
        }
    }
    csv.flush()
}
