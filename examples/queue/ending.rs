//! How a job ends: delivered, or as a dead letter that says why.

use crate::deliver::DeliveryError;
use retry_runtime::{Error, Outcome, Reason};
use std::fmt::{self, Display, Formatter};

pub(crate) enum Ending {
    Delivered { event: String },
    Dead(DeadLetter),
}

/// What somebody has to look at.
pub(crate) struct DeadLetter {
    pub(crate) event: String,
    pub(crate) reason: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) error: String,
}

impl Ending {
    /// None if the job is to be put back: it stays in the queue, and is taken up again when its lease
    /// is over.
    pub(crate) fn of(event: &str, ended: Result<(), Error<DeliveryError>>) -> Option<Self> {
        let event = event.to_owned();
        let error = match ended {
            Ok(()) => return Some(Self::Delivered { event }),
            Err(error) => error,
        };
        if is_for_now(&error) {
            return None;
        }
        let (reason, outcome) = (error.reason().name(), error.outcome());
        let error = error.into_last().map_or_else(String::new, |last| last.to_string());
        Some(Self::Dead(DeadLetter { event, reason, outcome, error }))
    }

    /// What is no job cannot have been delivered.
    pub(crate) fn no_job(error: &serde_json::Error) -> Self {
        Self::Dead(DeadLetter {
            event: String::new(),
            reason: "no_job",
            outcome: Outcome::NotApplied,
            error: error.to_string(),
        })
    }

    /// As the streams of ended jobs hold it.
    pub(crate) fn fields(&self) -> Vec<&str> {
        match self {
            Self::Delivered { event } => vec!["event", event],
            Self::Dead(DeadLetter { event, reason, outcome, error }) => {
                let outcome = match outcome {
                    Outcome::NotApplied => "not_applied",
                    Outcome::Unknown => "unknown",
                };
                vec!["event", event, "reason", reason, "outcome", outcome, "error", error]
            }
        }
    }
}

impl Display for Ending {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delivered { event } => write!(f, "{event} is delivered"),
            Self::Dead(DeadLetter { event, reason, error, .. }) => {
                write!(f, "{event} is a dead letter: {reason}: {error}")
            }
        }
    }
}

/// The job is in order, and so is the subscriber; it is this worker that must not, or cannot.
fn is_for_now(error: &Error<DeliveryError>) -> bool {
    matches!(error.last(), Some(DeliveryError::NotCounted(_)))
        || matches!(
            error.reason(),
            Reason::BudgetExhausted
                | Reason::CircuitOpen
                | Reason::RateLimited
                | Reason::ConcurrencyLimited
        )
}
