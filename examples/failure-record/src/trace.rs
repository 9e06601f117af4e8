//! A recorded trace, drawn as a record is.

use crate::picture::{Calls, Load, Picture, Point};
use crate::table::Table;
use retry_runtime::decide::Decision;
use retry_runtime::observe::{CallEnd, Event, Facts, TraceError};
use retry_runtime::{Reason, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::Instant;

/// What a trace shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Its figures.
    pub table: Table,
    /// Its calls of the leaf, and their load.
    pub picture: Picture,
}

/// Why a text shows nothing.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is no trace.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// There is no attempt in it.
    #[error("no call makes an attempt in this trace, so there is nothing to draw")]
    Empty,
    /// There is too much in it.
    #[error("{0} calls of the leaf are too many to draw, and {1} is the limit: write fewer traces")]
    TooMany(usize, usize),
}

/// A call of one trace: ids are those of one process.
type Id = (u64, u64);

/// What is collected of the events.
#[derive(Default)]
struct Calling {
    /// Each call, and the outermost call around it.
    request_of: BTreeMap<Id, Id>,
    /// Calls that make others.
    makes_others: BTreeSet<Id>,
    /// The outermost calls in the order in which they begin, and how they end.
    requests: Vec<Id>,
    succeeded: u64,
    gave_up: u64,
    budget_stopped: u64,
    attempts: Vec<(Instant, Id)>,
    /// When the first and the last event was.
    span: Option<(Instant, Instant)>,
}

impl Recorded {
    /// Reads the lines of [`Trace::to_json_lines`], of one trace or of several. A request is a call
    /// that no other call of the trace makes, and a call of the leaf is an attempt of a call that
    /// makes no others.
    ///
    /// # Errors
    ///
    /// [`Unreadable`], also when there are more calls of the leaf than `most`.
    pub fn read(text: &str, most: usize) -> Result<Self, Unreadable> {
        let trace = Trace::from_json_lines(text)?;
        let mut calling = Calling::default();
        for (event, facts) in trace.events() {
            calling.note(&event, &facts);
        }
        let picture = calling.picture().ok_or(Unreadable::Empty)?;
        if picture.calls.points.len() > most {
            return Err(Unreadable::TooMany(picture.calls.points.len(), most));
        }
        Ok(Self { table: calling.table(&picture), picture })
    }
}

impl Calling {
    fn note(&mut self, event: &Event<'_>, facts: &Facts<'_>) {
        let id = (facts.root_id, facts.call_id);
        let (from, until) = self.span.unwrap_or((facts.at, facts.at));
        self.span = Some((from.min(facts.at), until.max(facts.at)));
        match event {
            // A call begins once, whatever a file says.
            Event::CallStarted { parent, .. } if !self.request_of.contains_key(&id) => {
                let around = parent.map(|parent| (facts.root_id, parent));
                // The call around it may have begun before the recording did.
                let inside =
                    around.and_then(|around| Some((around, *self.request_of.get(&around)?)));
                match inside {
                    Some((around, _)) => {
                        self.makes_others.insert(around);
                    }
                    None => self.requests.push(id),
                }
                self.request_of.insert(id, inside.map_or(id, |(_, request)| request));
            }
            Event::AttemptStarted { .. } => self.attempts.push((facts.at, id)),
            Event::Decided { decision: Decision::Stop(Reason::BudgetExhausted), .. } => {
                self.budget_stopped += 1;
            }
            Event::CallEnded { end, .. } if self.request_of.get(&id) == Some(&id) => match end {
                CallEnd::Succeeded => self.succeeded += 1,
                CallEnd::GaveUp { .. } => self.gave_up += 1,
                _ => {}
            },
            _ => {}
        }
    }

    fn picture(&self) -> Option<Picture> {
        let (began, _) = self.span?;
        let rows: BTreeMap<Id, usize> = self.requests.iter().copied().zip(0..).collect();
        let mut sends: Vec<_> =
            self.attempts.iter().filter(|(_, id)| !self.makes_others.contains(id)).collect();
        sends.sort_by_key(|(at, _)| *at);
        let mut sent_once = BTreeSet::new();
        let points: Vec<_> = sends
            .into_iter()
            .filter_map(|(at, id)| {
                let request = *rows.get(self.request_of.get(id)?)?;
                let is_retry = !sent_once.insert(request);
                Some(Point { at: at.saturating_duration_since(began), request, is_retry })
            })
            .collect();
        points.first()?;
        let calls = Calls { points, requests: rows.len() };
        let (loads, span) = Load::beside(&[("the trace", &calls)], None);
        Some(Picture { calls, loads, fault_ends: None, span })
    }

    fn table(&self, picture: &Picture) -> Table {
        let points = &picture.calls.points;
        let retries = points.iter().filter(|point| point.is_retry).count();
        let mut of_request = vec![0_usize; picture.calls.requests];
        for point in points {
            of_request[point.request] += 1;
        }
        let lasted = self.span.map_or(Duration::ZERO, |(from, until)| until - from);
        let mut table = Table::new(["", "this trace"]);
        for (name, figure) in [
            ("requests", picture.calls.requests.to_string()),
            ("leaf calls of all", points.len().to_string()),
            (
                "most leaf calls of one request",
                of_request.iter().max().map_or(0, |n| *n).to_string(),
            ),
            ("retries", retries.to_string()),
            ("retries that a budget stopped", self.budget_stopped.to_string()),
            ("most retries within 10 ms", Load::peak_retries(&picture.calls).to_string()),
            ("requests that succeed", self.succeeded.to_string()),
            ("requests that give up", self.gave_up.to_string()),
            ("from the first event to the last", format!("{:.1} ms", lasted.as_secs_f64() * 1e3)),
        ] {
            table.push([name.to_owned(), figure]);
        }
        table
    }
}
