//! A trace as a picture.

use super::Trace;
use super::chart::{Chart, End, Kind, Row};
use super::words::short;
use std::time::Duration;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};
use svg::{Document, Node};

/// Pixels.
const AXIS: f64 = 440.0;
const GAP: f64 = 12.0;
const TOP: f64 = 34.0;
const ROW: f64 = 20.0;
const BAR: f64 = 12.0;
const INDENT: f64 = 24.0;
/// Wide enough for a character of the font in `LOOK`, on average.
const CHARACTER: f64 = 6.6;

/// Calls that are deeper in others are not moved any further to the right.
const MOST_INDENTS: usize = 8;

/// Into how many parts the axis is divided.
const TICKS: u32 = 4;

const LOOK: &str = "\
text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
.call { font-weight: 600 } .tick { fill: #656d76; text-anchor: middle }
.grid { stroke: #d1d9e0 } .gap { stroke: #818b98; stroke-dasharray: 2 3 }
.good { fill: #1a7f37 } .bad { fill: #bc4c00 } .open { fill: #818b98 } .question { opacity: .6 }
.paper { fill: #ffffff }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .tick { fill: #9198a1 } .grid { stroke: #3d444d } .gap { stroke: #9198a1 }
.good { fill: #3fb950 } .bad { fill: #db6d28 } .open { fill: #9198a1 } .paper { fill: #0d1117 } }";

impl Trace {
    /// Draws the timeline as an SVG picture, in light and dark; needs the feature `svg`.
    ///
    /// Attempts are bars, questions are pale ones, and waits are dotted lines. The picture is
    /// complete in itself, and its colours are those of the reader's system.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let chart = Chart::of(self);
        let start = chart.rows.iter().map(indent).fold(INDENT, f64::max) + INDENT + GAP;
        let scale = Scale { length: chart.length, start };
        let texts = chart.rows.iter().map(|row| width(&row.text)).fold(0.0, f64::max);
        let width = start + AXIS + GAP + texts + GAP;
        let height = chart.rows.iter().fold(TOP + ROW, |height, _| height + ROW);
        let mut document = Document::new()
            .set("viewBox", (0.0, 0.0, width, height))
            .set("width", width)
            .set("height", height)
            .set("role", "img")
            .add(Title::new("Timeline of annotated calls"))
            .add(Style::new(LOOK))
            .add(Rectangle::new().set("class", "paper").set("width", width).set("height", height));
        for tick in 0..=TICKS {
            document.append(scale.tick(tick, height));
        }
        let mut middle = TOP + ROW / 2.0;
        for row in &chart.rows {
            document.append(scale.row(row, middle));
            middle += ROW;
        }
        document.to_string()
    }
}

/// Where a time stands.
struct Scale {
    length: Duration,
    /// Where the axis begins.
    start: f64,
}

impl Scale {
    fn x(&self, time: Duration) -> f64 {
        let length = self.length.as_secs_f64();
        let share = if length > 0.0 { time.as_secs_f64() / length } else { 0.0 };
        self.start + AXIS * share
    }

    fn tick(&self, tick: u32, height: f64) -> Group {
        let time = self.length.saturating_mul(tick) / TICKS;
        let x = self.start + AXIS * f64::from(tick) / f64::from(TICKS);
        let line = line("grid", (x, TOP - 6.0), (x, height - ROW / 2.0));
        Group::new().add(line).add(text(short(time), "tick", x, TOP - 12.0))
    }

    fn row(&self, row: &Row, middle: f64) -> Group {
        let base = middle + 4.0;
        let group = Group::new().add(Title::new(format!("{}: {}", row.name, row.text)));
        if row.kind == Kind::Call {
            let head = format!("{}: {}", row.name, row.text);
            return group.add(text(head, "call", indent(row), base));
        }
        let name = text(row.name.clone(), "name", indent(row) + INDENT / 2.0, base);
        let words = text(row.text.clone(), "text", self.start + AXIS + GAP, base);
        let group = row.gaps.iter().fold(group, |group, gap| {
            group.add(line("gap", (self.x(gap.from), middle), (self.x(gap.to), middle)))
        });
        group.add(self.bar(row, middle)).add(name).add(words)
    }

    fn bar(&self, row: &Row, middle: f64) -> Rectangle {
        let end = match row.end {
            End::Good => "good",
            End::Bad => "bad",
            End::Open => "open",
        };
        let question = if row.kind == Kind::Question { " question" } else { "" };
        let from = self.x(row.from);
        Rectangle::new()
            .set("class", format!("{end}{question}"))
            .set("x", from)
            .set("y", middle - BAR / 2.0)
            // What is too short to be seen is seen all the same.
            .set("width", (self.x(row.to) - from).max(2.0))
            .set("height", BAR)
            .set("rx", 2)
    }
}

/// Where the head of a call stands.
fn indent(row: &Row) -> f64 {
    (0..row.depth.min(MOST_INDENTS)).fold(GAP / 2.0, |indent, _| indent + INDENT)
}

/// About how wide a text is.
fn width(text: &str) -> f64 {
    text.chars().fold(0.0, |width, _| width + CHARACTER)
}

fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> Line {
    let line = Line::new().set("class", class).set("x1", from.0).set("y1", from.1);
    line.set("x2", to.0).set("y2", to.1)
}

fn text(words: String, class: &str, x: f64, y: f64) -> Text {
    Text::new(words).set("class", class).set("x", x).set("y", y)
}
