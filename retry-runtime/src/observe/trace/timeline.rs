//! A trace in a terminal.

use super::Trace;
use super::chart::{Chart, Kind, Row};
use super::words::short;
use std::fmt;
use std::time::Duration;

/// How wide the time axis is where the format asks for nothing else.
const WIDTH: usize = 48;

/// How far calls inside a call are moved to the right.
const STEP: usize = 4;

/// A timeline: attempts are bars, waits are the dots before them, and reasons stand at the right.
///
/// Calls inside a call stand below the attempt that made them. The width of a format is that of the
/// time axis: `format!("{trace:80}")`.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chart = Chart::of(self);
        let axis = Axis { length: chart.length, width: f.width().unwrap_or(WIDTH).max(2) };
        let names = chart.rows.iter().filter(|row| row.kind != Kind::Call);
        let margin = names.map(|row| indent(row) + row.name.len()).max().unwrap_or_default();
        let end = short(axis.length);
        writeln!(f, "{:margin$}  0{end:>width$}", "", width = axis.width - 1)?;
        for row in &chart.rows {
            if row.kind == Kind::Call {
                writeln!(f, "{:indent$}{}: {}", "", row.name, row.text, indent = STEP * row.depth)?;
            } else {
                let (indent, bars) = (indent(row), axis.bars(row));
                let name = format!("{:indent$}{}", "", row.name);
                writeln!(f, "{name:margin$} │{bars}│ {}", row.text)?;
            }
        }
        Ok(())
    }
}

/// What stands before the number of an attempt.
fn indent(row: &Row) -> usize {
    STEP * row.depth + STEP / 2
}

struct Axis {
    length: Duration,
    width: usize,
}

impl Axis {
    /// The column of a time.
    fn column(&self, time: Duration) -> usize {
        let (time, length) = (time.as_nanos(), self.length.as_nanos().max(1));
        let width = u128::try_from(self.width).unwrap_or_default();
        usize::try_from(time * width / length).unwrap_or(self.width).min(self.width)
    }

    fn bars(&self, row: &Row) -> String {
        let mut cells = vec![' '; self.width];
        let mut fill = |from: Duration, to: Duration, with: char| {
            let from = self.column(from).min(self.width - 1);
            // What is too short to be seen is seen all the same.
            let to = self.column(to).max(from + 1);
            if let Some(cells) = cells.get_mut(from..to) {
                cells.fill(with);
            }
        };
        for gap in &row.gaps {
            fill(gap.from, gap.to, '·');
        }
        match row.kind {
            Kind::Attempt | Kind::Call => fill(row.from, row.to, '█'),
            Kind::Question => fill(row.from, row.to, '▒'),
            Kind::Refusal => fill(row.from, row.to, '×'),
        }
        cells.into_iter().collect()
    }
}
