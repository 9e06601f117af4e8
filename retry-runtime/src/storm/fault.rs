//! What is wrong with a server, and for how long.

use super::server::FAST_FAILURE;
use super::simulated::{Moment, NEVER, Simulated};
use crate::backoff::nanos;
use std::time::Duration;

/// A time in which a server fails requests, all of them or a share.
///
/// A failed request gets its answer after 5 ms, takes none of the server's capacity, and may be
/// tried again; [`silent`](Self::silent) makes it one that is never answered.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::storm::Fault;
///
/// let outage = Fault::between(Duration::from_secs(10), Duration::from_secs(70));
/// let flaky = Fault::always(0.05);
/// assert_ne!(outage, flaky);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Fault {
    from: Duration,
    until: Duration,
    pub(super) share: f64,
    answers_after: Option<Duration>,
}

impl Fault {
    /// Every request fails that comes at or after `from` and before `until`, counted from the
    /// beginning of the simulation.
    pub const fn between(from: Duration, until: Duration) -> Self {
        Self { from, until, share: 1.0, answers_after: Some(FAST_FAILURE) }
    }

    /// Each request fails with this probability, from 0 to 1, as long as the simulation lasts.
    pub const fn always(share: f64) -> Self {
        Self::between(Duration::ZERO, Duration::MAX).share(share)
    }

    /// Only this share of the requests fails, each with this probability, from 0 to 1.
    pub const fn share(mut self, share: f64) -> Self {
        self.share = share;
        self
    }

    /// How long a failed request waits for its answer; 5 ms by default.
    pub const fn answers_after(mut self, answers_after: Duration) -> Self {
        self.answers_after = Some(answers_after);
        self
    }

    /// A failed request gets no answer at all: its attempt ends with its timeout.
    pub const fn silent(mut self) -> Self {
        self.answers_after = None;
        self
    }

    /// When a request that comes now is told that it failed, if the fault strikes it.
    pub(super) fn strikes(&self, environment: &Simulated) -> Option<Moment> {
        let now = environment.moment();
        let within = nanos(self.from) <= now && now < self.ends();
        let struck = within && (self.share >= 1.0 || environment.fraction() < self.share);
        struck.then(|| self.answers_after.map_or(NEVER, |after| now.saturating_add(nanos(after))))
    }

    pub(super) fn ends(&self) -> Moment {
        nanos(self.until)
    }
}
