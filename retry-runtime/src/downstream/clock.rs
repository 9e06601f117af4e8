//! The time of one downstream: small numbers that fit into atomic words.

use std::sync::OnceLock;
use tokio::time::Instant;

/// Counts from the first instant that anybody asks about.
#[derive(Debug)]
pub(super) struct Clock(OnceLock<Instant>);

pub(super) const NANOS_PER_SECOND: u64 = 1_000_000_000;
const NANOS_PER_MILLI: u64 = 1_000_000;

impl Clock {
    pub(super) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Nanoseconds; zero for what lies before the first instant, and saturated after 584 years.
    pub(super) fn nanos(&self, now: Instant) -> u64 {
        let epoch = *self.0.get_or_init(|| now);
        u64::try_from(now.saturating_duration_since(epoch).as_nanos()).unwrap_or(u64::MAX)
    }

    /// Whole milliseconds that have passed.
    pub(super) fn millis(&self, now: Instant) -> u64 {
        self.nanos(now) / NANOS_PER_MILLI
    }

    /// The same rounded up, for what begins now and must not end early.
    pub(super) fn millis_up(&self, now: Instant) -> u64 {
        self.nanos(now).div_ceil(NANOS_PER_MILLI)
    }
}
