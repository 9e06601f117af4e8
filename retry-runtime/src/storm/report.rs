//! What a storm did.

use crate::error::Reason;
use std::time::Duration;

/// The figures of one simulation. The same storm with the same seed has the same.
///
/// Instants are counted from the beginning of the simulation. A send is one request to the server;
/// a retry is a send that is not the first of its call. A call that was refused before its first
/// attempt, by an open breaker for instance, sends nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Calls that began.
    pub calls: u64,
    /// Requests that were sent to the server.
    pub sends: u64,
    /// Sends that were not the first of their call.
    pub retries: u64,
    /// Attempts in each layer, the outermost first; those of the innermost are the sends.
    pub attempts: Vec<u64>,
    /// Calls that succeeded.
    pub successes: u64,
    /// Calls that did not, by the reason why they went no further; sorted by its name.
    pub failures: Vec<(Reason, u64)>,
    /// Retries that were not made because the budget was exhausted, in all layers.
    pub retries_stopped: u64,
    /// The highest number of retries in one 10 ms bin.
    pub peak_retries: u64,
    /// Retries that were sent when the fault was over.
    pub recovery_tail: u64,
    /// The highest number of calls that ran side by side, those that wait included.
    pub most_in_flight: u64,
    /// How long all calls took together: divided by a span of time, how many ran on average.
    pub time_in_calls: Duration,
    /// When the last call ended.
    pub ended: Duration,
    /// How long calls that succeeded took, attempts and waits together: the median.
    pub p50: Option<Duration>,
    /// The same: 99 of 100 were faster.
    pub p99: Option<Duration>,
    /// What happened when, in bins of the width of [`Storm::bins`](super::Storm::bins); those in
    /// which nothing happened are left out.
    pub bins: Vec<Bin>,
    /// Every send, in order, if [`Storm::keep_sends`](super::Storm::keep_sends) asked for them.
    pub sent: Vec<Sent>,
}

/// What happened in a short time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bin {
    /// When it begins.
    pub from: Duration,
    /// Calls that began.
    pub calls: u64,
    /// Requests that were sent to the server.
    pub sends: u64,
    /// Sends that were not the first of their call.
    pub retries: u64,
    /// Calls that succeeded: over the width of the bin, the goodput.
    pub successes: u64,
    /// Calls that ended without success.
    pub failures: u64,
}

/// One request to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// When.
    pub at: Duration,
    /// Which client sent it, from 0.
    pub client: u32,
    /// For which call, numbered from 0 as they begin.
    pub call: u64,
    /// The how many'th of its call, from 1.
    pub number: u32,
}

impl Report {
    /// Sends per call: 1 without any retry.
    #[must_use]
    pub fn amplification(&self) -> f64 {
        ratio(self.sends, self.calls)
    }

    /// The fraction of the calls that succeeded.
    #[must_use]
    pub fn success_rate(&self) -> f64 {
        ratio(self.successes, self.calls)
    }

    /// How many calls ended for this reason.
    #[must_use]
    pub fn failures_by(&self, reason: Reason) -> u64 {
        self.failures.iter().find(|(other, _)| *other == reason).map_or(0, |(_, count)| *count)
    }
}

/// Zero where there was nothing.
fn ratio(part: u64, whole: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^53")]
    let (part, whole) = (part as f64, whole.max(1) as f64);
    part / whole
}
