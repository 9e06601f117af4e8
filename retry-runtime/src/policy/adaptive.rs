//! An attempt timeout from how long successful attempts take.

use std::time::Duration;

/// How an attempt timeout follows the downstream: `max(floor, factor * p99)` of the last successes.
///
/// The policy's [`attempt_timeout`](crate::Policy::attempt_timeout) is the ceiling, and holds while
/// fewer than `minimum_samples` attempts have succeeded in the last 10 to 20 seconds, and while the
/// adapted timeout cuts more than one attempt in twenty: then it does not fit any more.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{AdaptiveTimeout, Policy};
///
/// const SEARCH: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
///     .attempt_timeout(Duration::from_millis(500)) // the ceiling
///     .adaptive_timeout(AdaptiveTimeout::DEFAULT)
///     .deadline(Duration::from_secs(2));
/// assert!(SEARCH.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct AdaptiveTimeout {
    pub(crate) floor: Duration,
    pub(crate) factor: f64,
    pub(crate) minimum_samples: u32,
}

impl AdaptiveTimeout {
    /// Twice the 99th percentile, at least 20 ms, from 100 successes on.
    pub const DEFAULT: Self =
        Self { floor: Duration::from_millis(20), factor: 2.0, minimum_samples: 100 };

    /// The shortest timeout; 20 ms by default, and no less.
    pub const fn floor(mut self, floor: Duration) -> Self {
        self.floor = floor;
        self
    }

    /// By what the 99th percentile is multiplied; 2 by default, and at least 1.
    pub const fn factor(mut self, factor: f64) -> Self {
        self.factor = factor;
        self
    }

    /// How many successes it takes to know something; 100 by default.
    pub const fn minimum_samples(mut self, samples: u32) -> Self {
        self.minimum_samples = samples;
        self
    }

    /// The timeout at this 99th percentile, without a ceiling.
    ///
    /// ```
    /// use std::time::Duration;
    /// use retry_runtime::AdaptiveTimeout;
    ///
    /// let timeout = |millis| AdaptiveTimeout::DEFAULT.at(Duration::from_millis(millis));
    /// assert_eq!((timeout(90).as_millis(), timeout(4).as_millis()), (180, 20));
    /// ```
    #[must_use]
    pub fn at(&self, p99: Duration) -> Duration {
        let timeout = Duration::try_from_secs_f64(p99.as_secs_f64() * self.factor);
        timeout.unwrap_or(Duration::MAX).max(self.floor)
    }
}
