//! Pictures as SVG, by plotters.

mod panel;

use crate::chart::{Chart, Scene};
use crate::picture::{Load, Picture};
use panel::{Area, Axes, Panel};
use plotters::prelude::*;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

const INK: RGBColor = RGBColor(0x3b, 0x42, 0x4a);
const GRID: RGBColor = RGBColor(0xe2, 0xe6, 0xea);
const PAPER: RGBColor = RGBColor(0xfe, 0xfe, 0xff);
const FIRST: RGBColor = RGBColor(0x6b, 0x7f, 0x94);
const RETRY: RGBColor = RGBColor(0xd9, 0x4f, 0x0c);
const FAULT: RGBColor = RGBColor(0x0b, 0x6e, 0xb8);
/// Told apart by most people who do not see all colours.
const LINES: [RGBColor; 5] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xc0, 0x60, 0x9a),
    RGBColor(0x8c, 0x6d, 0x1f),
];

/// What the page calls the colours, to have others in the dark.
const NAMES: [(RGBColor, &str); 6] = [
    (INK, "--ink"),
    (GRID, "--grid"),
    (PAPER, "--paper"),
    (FIRST, "--first"),
    (RETRY, "--retry"),
    (FAULT, "--fault"),
];

/// The narrowest and the widest picture, in pixels.
pub const WIDTHS: RangeInclusive<u32> = 280..=1_600;

/// A picture could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the picture could not be drawn: {0}")]
pub struct Undrawn(String);

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for Undrawn {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self(error.to_string())
    }
}

/// A drawing of this size.
fn drawn(
    (width, height): (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), Undrawn>,
) -> Result<String, Undrawn> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
    area.fill(&PAPER)?;
    draw(&area)?;
    area.present()?;
    drop(area);
    Ok(svg)
}

/// The same drawing with the colours of the page that it stands in.
#[must_use]
pub fn themed(svg: &str) -> String {
    NAMES.iter().fold(svg.to_owned(), |svg, (RGBColor(red, green, blue), name)| {
        svg.replace(&format!("\"#{red:02X}{green:02X}{blue:02X}\""), &format!("\"var({name})\""))
    })
}

/// The calls, and the loads below them.
///
/// # Errors
///
/// [`Undrawn`].
pub fn picture(picture: &Picture, width: u32) -> Result<String, Undrawn> {
    let (calls, load) = (calls_height(picture), LOAD_HEIGHT);
    let count = u32::try_from(picture.loads.len()).unwrap_or(u32::MAX);
    drawn((width, calls + load * count), |area| {
        let (above, below) = area.split_vertically(calls);
        draw_calls(&above, picture)?;
        draw_loads(&below, picture)
    })
}

/// Each call of the leaf as a point.
///
/// # Errors
///
/// [`Undrawn`].
pub fn calls(picture: &Picture, width: u32) -> Result<String, Undrawn> {
    drawn((width, calls_height(picture)), |area| draw_calls(area, picture))
}

/// The loads as bars, one below the other, over the same axes.
///
/// # Errors
///
/// [`Undrawn`].
pub fn loads(picture: &Picture, width: u32) -> Result<String, Undrawn> {
    let count = u32::try_from(picture.loads.len()).unwrap_or(u32::MAX);
    drawn((width, LOAD_HEIGHT * count), |area| draw_loads(area, picture))
}

/// The charts of a scene, one below the other.
///
/// # Errors
///
/// [`Undrawn`].
pub fn scene(scene: &Scene, width: u32) -> Result<String, Undrawn> {
    let count = u32::try_from(scene.charts.len()).unwrap_or(u32::MAX);
    drawn((width, CHART_HEIGHT * count), |area| {
        let areas = area.split_evenly((scene.charts.len(), 1));
        scene.charts.iter().zip(&areas).try_for_each(|(chart, area)| draw_chart(area, chart))
    })
}

const LOAD_HEIGHT: u32 = 210;
const CHART_HEIGHT: u32 = 300;

/// Few requests need little room.
fn calls_height(picture: &Picture) -> u32 {
    let requests = u32::try_from(picture.calls.requests).unwrap_or(u32::MAX);
    requests.saturating_mul(8).clamp(80, 420) + 100
}

/// The unit of an axis of time, and how many of them this is.
fn scaled(picture: &Picture) -> (&'static str, impl Fn(Duration) -> f64 + Copy + use<>) {
    let in_seconds = picture.span > Duration::from_secs(10);
    let (unit, per_second) = if in_seconds { ("s", 1.0) } else { ("ms", 1e3) };
    (unit, move |time: Duration| time.as_secs_f64() * per_second)
}

/// From a little before zero, so that what is there can be seen, to the end of the last bar.
fn time_axis(picture: &Picture) -> Range<f64> {
    let (_, scale) = scaled(picture);
    let width = picture.loads.first().map_or(Duration::ZERO, |load| load.width);
    let end = scale(picture.span + width);
    -0.02 * end..end * 1.02
}

fn draw_calls(area: &Area<'_>, picture: &Picture) -> Result<(), Undrawn> {
    let (unit, scale) = scaled(picture);
    let mut entries = vec![("first call of a request", FIRST), ("retry", RETRY)];
    entries.extend(picture.fault_ends.map(|_| ("the fault is over", FAULT)));
    let axes = Axes::new(format!("{unit} since it began"), "request");
    #[expect(clippy::cast_precision_loss, reason = "a place on an axis")]
    let row = |request: usize| request as f64 + 1.0;
    let highest = row(picture.calls.requests);
    let (x, y) = (time_axis(picture), 0.0..highest);
    let mut panel = Panel::new(area, "Calls of the leaf", &entries, &axes, x, y)?;
    let radius = if picture.calls.requests > 200 { 2 } else { 3 };
    fault_line(&mut panel, picture, highest)?;
    panel.draw_series(picture.calls.points.iter().map(|point| {
        let color = if point.is_retry { RETRY } else { FIRST };
        Circle::new((scale(point.at), row(point.request)), radius, color.filled())
    }))
}

fn draw_loads(area: &Area<'_>, picture: &Picture) -> Result<(), Undrawn> {
    let highest = picture.loads.iter().map(Load::highest).max().unwrap_or(0);
    let areas = area.split_evenly((picture.loads.len(), 1));
    let mut loads = picture.loads.iter().zip(&areas);
    loads.try_for_each(|(load, area)| draw_load(area, load, highest, picture))
}

/// First calls, and retries on top of them.
fn draw_load(area: &Area<'_>, load: &Load, highest: u64, picture: &Picture) -> Result<(), Undrawn> {
    let (unit, scale) = scaled(picture);
    let axes = Axes::new(
        format!("{unit} since it began"),
        format!("calls in {} {unit}", scale(load.width)),
    );
    #[expect(clippy::cast_precision_loss, reason = "a place on an axis")]
    let height = |calls: u64| calls as f64;
    let top = height(highest.max(1));
    let title = format!("Load: {}", load.name);
    let entries = [("first calls", FIRST), ("retries", RETRY)];
    let mut panel = Panel::new(area, &title, &entries, &axes, time_axis(picture), 0.0..top)?;
    fault_line(&mut panel, picture, top)?;
    for bar in &load.bars {
        let (from, until) = (scale(bar.from), scale(bar.from + load.width));
        let parts = [(0, bar.first, FIRST), (bar.first, bar.first + bar.retries, RETRY)];
        let drawn = parts.into_iter().filter(|(low, high, _)| low < high);
        panel.draw_series(drawn.map(|(low, high, color)| {
            Rectangle::new([(from, height(low)), (until, height(high))], color.filled())
        }))?;
    }
    Ok(())
}

fn fault_line(panel: &mut Panel<'_, '_>, picture: &Picture, highest: f64) -> Result<(), Undrawn> {
    let (_, scale) = scaled(picture);
    let line = picture.fault_ends.map(|ends| {
        let at = scale(ends);
        PathElement::new(vec![(at, 0.0), (at, highest)], FAULT.stroke_width(2))
    });
    panel.draw_series(line)
}

fn draw_chart(area: &Area<'_>, chart: &Chart) -> Result<(), Undrawn> {
    let colored = || chart.lines.iter().zip(LINES.iter().cycle());
    let entries: Vec<_> = colored().map(|(line, color)| (line.name.as_str(), *color)).collect();
    let axes = Axes { x: chart.x.clone(), y: chart.y.clone(), steps: chart.steps.clone() };
    let (x, y) = chart.ranges();
    let mut panel = Panel::new(area, &chart.title, &entries, &axes, x, y)?;
    for (line, color) in colored() {
        let points = line.points.iter().map(|&(x, y)| (chart.place(x), y));
        panel.draw_series(LineSeries::new(points.clone(), color.stroke_width(2)))?;
        panel.draw_series(points.map(|point| Circle::new(point, 3, color.filled())))?;
    }
    Ok(())
}
