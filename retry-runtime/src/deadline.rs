//! The instant at which a whole call ends, attempts and waits together.

use std::time::Duration;
use tokio::time::Instant;

/// An instant that a call may not outlive, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) const NEVER: Self = Self(None);

    pub(crate) fn at(instant: Instant) -> Self {
        Self(Some(instant))
    }

    /// `limit` from `now`; a limit that the clock cannot express never comes.
    pub(crate) fn after(now: Instant, limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| now.checked_add(limit)))
    }

    pub(crate) fn earliest(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some(mine), Some(theirs)) => Self(Some(mine.min(theirs))),
            (mine, theirs) => Self(mine.or(theirs)),
        }
    }

    pub(crate) fn instant(self) -> Option<Instant> {
        self.0
    }

    /// Zero at and after the deadline; [`Duration::MAX`] where there is none.
    pub(crate) fn time_left(self, now: Instant) -> Duration {
        self.0.map_or(Duration::MAX, |end| end.saturating_duration_since(now))
    }
}
