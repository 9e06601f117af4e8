//! What the client saw of each request, written down where the request is sent.

use crate::api::Receipt;
use crate::client::PayError;
use hyper::{Method, StatusCode};
use retry_runtime::{Class, Classify, Scope};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The requests of every order, in the order in which they ended.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    lines: Mutex<HashMap<u32, Vec<Line>>>,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) method: Method,
    /// The attempt of the annotated call that sent it; none in a loop written by hand.
    pub(crate) attempt: Option<u32>,
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
    /// How much of the call's deadline was left when it ended.
    pub(crate) time_left: Duration,
    pub(crate) end: End,
}

/// How a request ended for the client.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Answered(StatusCode),
    Failed {
        error: String,
        class: Class,
    },
    /// Given up before there was an answer: the attempt timeout or the deadline had come.
    GivenUp,
}

/// A request under way. If it is dropped before it is closed, the request was given up.
pub(crate) struct OpenLine<'j> {
    journal: &'j Journal,
    order: u32,
    method: Method,
    scope: Option<Scope>,
    began: Instant,
    end: End,
}

impl Journal {
    pub(crate) fn open(&self, order: u32, method: &Method) -> OpenLine<'_> {
        OpenLine {
            journal: self,
            order,
            method: method.clone(),
            scope: Scope::current(),
            began: Instant::now(),
            end: End::GivenUp,
        }
    }

    pub(crate) fn of(&self, order: u32) -> Vec<Line> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.get(&order).cloned().unwrap_or_default()
    }

    /// How many requests were sent to this end.
    pub(crate) fn count(&self, method: &Method) -> usize {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.values().flatten().filter(|line| line.method == *method).count()
    }
}

impl OpenLine<'_> {
    pub(crate) fn close(mut self, result: &Result<(StatusCode, Receipt), PayError>) {
        self.end = match result {
            Ok((status, _)) => End::Answered(*status),
            Err(error) => End::Failed { error: error.to_string(), class: error.classify() },
        };
    }
}

impl Drop for OpenLine<'_> {
    fn drop(&mut self) {
        let line = Line {
            method: self.method.clone(),
            attempt: self.scope.as_ref().map(Scope::attempt),
            began: self.began,
            ended: Instant::now(),
            time_left: self.scope.as_ref().map_or(Duration::MAX, Scope::time_left),
            end: self.end.clone(),
        };
        let mut lines = self.journal.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.entry(self.order).or_default().push(line);
    }
}
