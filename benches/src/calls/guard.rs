//! Whether the calls keep their bars, by instructions alone.

use super::bar::{BARS, What};
use super::figures::counts;
use super::names::COMPLETE;
use super::situation::Situation;
use super::worker::{self, COUNT};
use crate::table::Table;
use std::error::Error;

/// Counts the instructions of all contenders that have a bar, and judges them.
///
/// # Errors
///
/// When a bar is not kept, or the instructions cannot be counted.
pub fn guard() -> Result<String, Box<dyn Error>> {
    let mut table =
        Table::new(["`retry, complete`", "instructions", "of", "ratio", "at most", "aim"]);
    let mut broken = 0;
    for situation in Situation::ALL {
        let counts = counts(&worker::ask(situation, COUNT)?)?;
        let named = |name| counts.iter().find(|(who, _)| who == name).map(|(_, count)| *count);
        for bar in BARS.iter().filter(|bar| bar.situation == situation) {
            let What::InstructionsOf(other) = bar.what else { continue };
            let (Some(ours), Some(theirs)) = (named(COMPLETE), named(other)) else { continue };
            let ratio = ours / theirs;
            broken += u32::from(ratio > bar.most);
            let figures = [ours, theirs].map(|count| format!("{count:.0}"));
            let ratios = [ratio, bar.most, bar.aim].map(|ratio| format!("{ratio:.2}"));
            table.push([bar.to_string()].into_iter().chain(figures).chain(ratios).collect());
        }
    }
    if broken > 0 {
        return Err(format!("{broken} of these bars are not kept:\n{table}").into());
    }
    Ok(table.to_string())
}
