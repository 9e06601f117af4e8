//! A table in Markdown that is also readable as it is.

use std::fmt;

/// Rows of one first column to the left, and figures to the right.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// How wide each column is.
    fn widths(&self) -> Vec<usize> {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column| lines().filter_map(|line| line.get(column)).map(String::len).max();
        (0..self.head.len()).map(|column| width(column).unwrap_or_default()).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        line(f, &self.head, &widths)?;
        write!(f, "\n|")?;
        for (column, width) in widths.iter().enumerate() {
            let (dashes, end) = if column == 0 { (width + 2, "") } else { (width + 1, ":") };
            write!(f, "{:-<dashes$}{end}|", "")?;
        }
        for row in &self.rows {
            writeln!(f)?;
            line(f, row, &widths)?;
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, cells: &[String], widths: &[usize]) -> fmt::Result {
    write!(f, "|")?;
    for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        if column == 0 {
            write!(f, " {cell:<width$} |")?;
        } else {
            write!(f, " {cell:>width$} |")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["what", "ns"]);
        table.push(vec!["a call".to_owned(), "12.5".to_owned()]);
        let expected = "| what   |   ns |\n|--------|-----:|\n| a call | 12.5 |";
        assert_eq!(table.to_string(), expected);
    }
}
