//! Rows of text: the first column to the left, the others to the right.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// A table with a head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// As many cells each.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    fn width(&self, column: usize) -> usize {
        let lines = std::iter::once(&self.head).chain(&self.rows);
        lines
            .filter_map(|line| line.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    }
}

/// In columns that line up.
impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let widths: Vec<_> = (0..self.head.len()).map(|column| self.width(column)).collect();
        for line in std::iter::once(&self.head).chain(&self.rows) {
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                if column == 0 {
                    write!(f, "{cell:<width$}")?;
                } else {
                    write!(f, "  {cell:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
