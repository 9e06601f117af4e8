//! Lines over an axis, and the scene that they belong to.

use crate::table::Table;
use serde::Serialize;
use std::ops::Range;

/// A simulation in figures and in lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// What it is, in a sentence.
    pub title: String,
    /// The figures.
    pub table: Table,
    /// One below the other.
    pub charts: Vec<Chart>,
}

/// Lines over one axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What is along the bottom.
    pub x: String,
    /// What is up the side.
    pub y: String,
    /// Positions along the bottom that stand at equal distances, whatever they are; none on an
    /// ordinary axis.
    pub steps: Vec<f64>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// What it stands for.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
}

impl Chart {
    /// Where this position is along the bottom.
    pub(crate) fn place(&self, x: f64) -> f64 {
        let step = self.steps.iter().position(|step| *step >= x);
        #[expect(clippy::cast_precision_loss, reason = "one of a few steps")]
        let place = step.map(|step| step as f64);
        place.unwrap_or(x)
    }

    /// From the left to the right, and from zero to the top.
    pub(crate) fn ranges(&self) -> (Range<f64>, Range<f64>) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let places = || points().map(|(x, _)| *x).chain(self.steps.iter().copied());
        let places = || places().map(|x| self.place(x));
        let (left, right) = (places().fold(f64::MAX, f64::min), places().fold(f64::MIN, f64::max));
        let top = points().fold(f64::MIN_POSITIVE, |top, (_, y)| top.max(*y));
        (left..right, 0.0..top)
    }
}
