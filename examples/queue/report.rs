//! What became of the jobs.

use crate::case::{CASES, Case};
use crate::queue::Ended;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

pub(crate) const OPENING: &str = "\
Each job may be attempted four times within 30 seconds, or as often as it says.
A worker that is killed leaves its job, and what it has spent of it, to the next.
";

pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    pub(crate) took: Duration,
}

pub(crate) struct Row {
    case: &'static Case,
    /// As the subscriber saw them.
    attempts: Vec<u32>,
    ended: Option<Ended>,
}

impl Row {
    pub(crate) fn of(case: &'static Case, attempts: Vec<u32>, ends: &[Ended]) -> Self {
        let ended = ends.iter().find(|ended| ended.event == case.event).cloned();
        Self { case, attempts, ended }
    }

    /// Whether every attempt was made once and in order, and the job ended as it had to.
    fn is_right(&self) -> bool {
        let limit = if self.case.once { 1 } else { self.case.attempts };
        let numbers_are_right = self.attempts.iter().copied().eq(1..=limit.min(self.last()));
        let ended = self.ended.as_ref().map(|ended| ended.reason.as_str());
        numbers_are_right && ended == Some(self.case.ends)
    }

    fn last(&self) -> u32 {
        self.attempts.iter().copied().max().unwrap_or_default()
    }
}

impl Report {
    pub(crate) fn keeps_its_promises(&self) -> bool {
        self.rows.len() == CASES.len() && self.rows.iter().all(Row::is_right)
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {:<44} {:<10} ended", "job", "attempts")?;
        for row in &self.rows {
            row.fmt(f)?;
        }
        writeln!(f, "\n  {:.1} seconds\n", self.took.as_secs_f64())?;
        f.write_str(if self.keeps_its_promises() {
            "Every attempt was made once, none too many, and each job ended as it had to."
        } else {
            "BROKEN PROMISE: see the lines marked with a !."
        })
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mark = if self.is_right() { ' ' } else { '!' };
        let attempts: Vec<_> = self.attempts.iter().map(u32::to_string).collect();
        write!(f, "{mark} {:<44} {:<10} ", self.case.what, attempts.join(" "))?;
        match &self.ended {
            None => writeln!(f, "not at all"),
            Some(Ended { reason, outcome: None, .. }) => writeln!(f, "{reason}"),
            Some(Ended { reason, outcome: Some(outcome), .. }) => {
                writeln!(f, "dead letter: {reason}, outcome {outcome}")
            }
        }
    }
}
