//! The tables of one run.

use super::bar::{BARS, Bar};
use super::figures::Figures;
use super::names::PLAIN;
use super::situation::Situation;
use super::worker::{self, MEASURE};
use crate::machine;
use crate::table::Table;
use std::error::Error;
use std::fmt;

/// What the contenders of one run came to.
#[derive(Debug)]
pub struct Report(Vec<(Situation, Vec<Figures>)>);

/// Measures everything.
///
/// # Errors
///
/// When a worker cannot be started, or a contender did not do what it is measured for.
pub fn run() -> Result<Report, Box<dyn Error>> {
    let measured = Situation::ALL.into_iter().map(|situation| {
        let lines = worker::ask(situation, MEASURE)?;
        let figures = lines.lines().map(str::parse).collect::<Result<_, _>>()?;
        Ok((situation, figures))
    });
    Ok(Report(measured.collect::<Result<_, Box<dyn Error>>>()?))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# What one call costs\n\n{}\n", machine::described())?;
        for (situation, figures) in &self.0 {
            writeln!(f, "## {}\n\n{}\n", situation.title(), table(*situation, figures))?;
        }
        writeln!(f, "## Bars\n")?;
        write!(f, "{}", bars(|bar| self.measured(bar)))
    }
}

impl Report {
    fn measured(&self, bar: &Bar) -> Option<f64> {
        let (_, figures) = self.0.iter().find(|(situation, _)| *situation == bar.situation)?;
        bar.measured(figures)
    }
}

fn table(situation: Situation, figures: &[Figures]) -> Table {
    let mut table = Table::new([
        "call",
        "ns",
        "fastest to slowest",
        "instructions",
        "to the yardstick",
        "allocations",
        "future, bytes",
        "around 1 KiB",
        "more than plain",
    ]);
    let yardstick = figures.iter().find(|figures| figures.name == situation.yardstick());
    let yardstick = yardstick.and_then(|figures| figures.instructions);
    let plain = figures.iter().find(|figures| figures.name == PLAIN);
    for figures in figures {
        let (fastest, slowest) = figures.spread;
        let ratio = figures.instructions.zip(yardstick).map(|(count, yardstick)| count / yardstick);
        let or_nothing = |figure: Option<f64>, digits: usize| {
            figure.map_or_else(String::new, |figure| format!("{figure:.digits$}"))
        };
        table.push(vec![
            figures.name.clone(),
            format!("{:.1}", figures.nanos),
            format!("{fastest:.1} to {slowest:.1}"),
            or_nothing(figures.instructions, 0),
            or_nothing(ratio, 2),
            format!("{:.0}", figures.allocations),
            figures.size.to_string(),
            figures.kibibyte.to_string(),
            or_nothing(plain.map(|plain| figures.bytes_more(plain)), 0),
        ]);
    }
    table
}

/// The bars, and what was measured of them.
fn bars(measured: impl Fn(&Bar) -> Option<f64>) -> Table {
    let mut table = Table::new(["`retry, complete`", "measured", "at most", "aim"]);
    for bar in BARS {
        if let Some(measured) = measured(bar) {
            let figures = [measured, bar.most, bar.aim].map(|figure| format!("{figure:.2}"));
            table.push([bar.to_string()].into_iter().chain(figures).collect());
        }
    }
    table
}
