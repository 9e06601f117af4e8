//! What this project allows itself.

use crate::table::Table;

/// A figure of this project, as a multiple of another of the same run.
#[derive(Clone, Copy, Debug)]
struct Bar {
    what: &'static str,
    most: f64,
    aim: f64,
}

const INCREMENTAL: Bar =
    Bar { what: "incremental `cargo check`, times that of plain functions", most: 2.5, aim: 1.8 };
const FULL: Bar =
    Bar { what: "full `cargo check`, times that of plain functions", most: 2.9, aim: 2.2 };
const COLD: Bar =
    Bar { what: "first build, times that of backon and backon-macros", most: 1.0, aim: 1.0 };

/// What was measured of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) incremental: f64,
    pub(super) full: f64,
    pub(super) cold: f64,
}

impl Measured {
    pub(super) fn table(self) -> Table {
        let mut table = Table::new(["`#[retry]`", "measured", "at most", "aim"]);
        let Self { incremental, full, cold } = self;
        for (Bar { what, most, aim }, measured) in
            [(INCREMENTAL, incremental), (FULL, full), (COLD, cold)]
        {
            let figures = [measured, most, aim].map(|figure| format!("{figure:.2}"));
            table.push([what.to_owned()].into_iter().chain(figures).collect());
        }
        table
    }
}
