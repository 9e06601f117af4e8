//! A trace as JSON lines: one event a line, complete in itself.

use super::entry::Entry;
use super::replay::Difference;
use super::{Happened, Trace};
use crate::observe::key::fnv_1a;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use tokio::time::Instant;

/// Why a text is not a trace.
#[derive(Debug)]
pub struct TraceError {
    /// From 1.
    line: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Syntax(serde_json::Error),
    NoBeginning,
    Altered(Option<Difference>),
}

impl TraceError {
    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// What is wrong with a trace that was altered, where that can be said.
    #[must_use]
    pub fn difference(&self) -> Option<&Difference> {
        match &self.kind {
            Kind::Altered(difference) => difference.as_ref(),
            Kind::Syntax(_) | Kind::NoBeginning => None,
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match &self.kind {
            Kind::Syntax(error) => write!(f, "line {line} is no event: {error}"),
            Kind::NoBeginning => write!(f, "line {line} is of a call whose beginning is missing"),
            Kind::Altered(None) => write!(f, "line {line} was altered after it was recorded"),
            Kind::Altered(Some(difference)) => {
                write!(f, "line {line} was altered after it was recorded: {difference}")
            }
        }
    }
}

impl Error for TraceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            Kind::Syntax(error) => Some(error),
            Kind::Altered(Some(difference)) => Some(difference),
            Kind::NoBeginning | Kind::Altered(None) => None,
        }
    }
}

impl Trace {
    /// Writes the trace down, one event a line; needs the feature `serde`.
    ///
    /// Times are whole nanoseconds, and policies stand as in a file. Each line ends with a `check` of
    /// itself, by which [`from_json_lines`](Self::from_json_lines) sees that it was altered.
    #[must_use]
    pub fn to_json_lines(&self) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            let checked = Entry { check: Some(check(entry)), ..entry.clone() };
            text.push_str(&json(&checked));
            text.push('\n');
        }
        text
    }

    /// Reads a trace; needs the feature `serde`.
    ///
    /// Empty lines mean nothing. A line without a `check` is taken as it is, so that a trace can be
    /// altered on purpose.
    ///
    /// # Errors
    ///
    /// [`TraceError`] when a line is no event, is of a call that does not begin in the trace, or was
    /// altered; of an altered trace it names the first difference, if replay finds one.
    pub fn from_json_lines(text: &str) -> Result<Self, TraceError> {
        let mut entries = Vec::new();
        let mut begun = BTreeSet::new();
        let (mut altered, mut headless) = (None, None);
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
            let syntax = |error| TraceError { line, kind: Kind::Syntax(error) };
            let mut entry: Entry = serde_json::from_str(text).map_err(syntax)?;
            let expected = entry.check.take();
            if expected.is_some_and(|expected| expected != check(&entry)) {
                altered = altered.or(Some(line));
            }
            if let Happened::CallStarted { .. } = entry.event {
                begun.insert(entry.id);
            }
            if !begun.contains(&entry.id) {
                headless = headless.or(Some(line));
            }
            entries.push(entry);
        }
        let trace = Self::new(Instant::now(), entries);
        match (altered, headless) {
            (Some(line), _) => Err(TraceError { line, kind: Kind::Altered(trace.replay().err()) }),
            (None, Some(line)) => Err(TraceError { line, kind: Kind::NoBeginning }),
            (None, None) => Ok(trace),
        }
    }
}

/// What an entry is recognised by: a hash of its line without the check.
fn check(entry: &Entry) -> u64 {
    fnv_1a(json(entry).as_bytes())
}

/// An entry is made of what JSON can hold, so that writing it does not fail.
fn json(entry: &Entry) -> String {
    serde_json::to_string(entry).unwrap_or_default()
}
