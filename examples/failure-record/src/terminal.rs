//! Tables and plots in a terminal, the plots by textplots.

use crate::anatomy::Anatomy;
use crate::chart::{Chart, Scene};
use crate::picture::Picture;
use crate::trace::Recorded;
use std::fmt::Write;
use std::time::Duration;
use textplots::{Chart as Plot, Plot as _, Shape};

/// The size of a plot in dots, of which a character has two by four.
const SIZE: (u32, u32) = (150, 60);

/// The figures of a record, and its calls of the leaf.
#[must_use]
pub fn record(anatomy: &Anatomy, picture: &Picture) -> String {
    let record = &anatomy.chosen.record;
    let fields = record.written().map(|(name, text)| format!("{name} {text}"));
    let mut head = fields.join(", ");
    for warning in record.warnings() {
        head = format!("{head}\n! {warning}");
    }
    format!("{head}\n\n{}\n{}", anatomy.table(), calls(picture))
}

/// The figures of a trace, and its calls of the leaf.
#[must_use]
pub fn trace(recorded: &Recorded) -> String {
    format!("{}\n{}", recorded.table, calls(&recorded.picture))
}

/// The figures of a scene, and its charts.
#[must_use]
pub fn scene(scene: &Scene) -> String {
    let mut text = format!("{}\n\n{}", scene.title, scene.table);
    for chart in &scene.charts {
        // A string takes everything.
        let _ = write!(text, "\n{}", lines(chart));
    }
    text
}

/// Each call of the leaf as a dot, over time and by request.
#[must_use]
pub fn calls(picture: &Picture) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a place on an axis")]
    let row = |request: usize| request as f32 + 1.0;
    let millis = |time: Duration| time.as_secs_f32() * 1e3;
    let points: Vec<_> =
        picture.calls.points.iter().map(|p| (millis(p.at), row(p.request))).collect();
    let (right, top) = (millis(picture.span).max(1.0) * 1.02, row(picture.calls.requests));
    let ends = picture.fault_ends.map_or(-1.0, millis);
    let line = [(ends, 0.0), (ends, top)];
    let (dots, line) = (Shape::Points(&points), Shape::Lines(&line));
    let mut plot = Plot::new_with_y_range(SIZE.0, SIZE.1, 0.0, right, 0.0, top);
    let mut plot = plot.lineplot(&dots);
    if picture.fault_ends.is_some() {
        plot = plot.lineplot(&line);
    }
    let line = if picture.fault_ends.is_some() { "; the line is the end of the fault" } else { "" };
    let title = format!("Calls of the leaf: ms along the bottom, request up the side{line}");
    format!("{title}\n{}", drawn(plot))
}

fn lines(chart: &Chart) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "a place on an axis")]
    let place = |number: f64| number as f32;
    let (x, y) = chart.ranges();
    let (left, right, top) = (place(x.start), place(x.end), place(y.end));
    let lines: Vec<Vec<(f32, f32)>> = chart
        .lines
        .iter()
        .map(|line| line.points.iter().map(|&(x, y)| (place(chart.place(x)), place(y))).collect())
        .collect();
    let shapes: Vec<_> = lines.iter().map(|line| Shape::Lines(line)).collect();
    let mut plot = Plot::new_with_y_range(SIZE.0, SIZE.1, left, right, 0.0, top);
    let plot = shapes.iter().fold(&mut plot, |plot, shape| plot.lineplot(shape));
    let names: Vec<_> = chart.lines.iter().map(|line| line.name.as_str()).collect();
    format!("{}: {} over {}\n{}", chart.title, names.join(" | "), chart.x, drawn(plot))
}

fn drawn(plot: &mut Plot<'_>) -> String {
    plot.axis();
    plot.figures();
    plot.to_string()
}
