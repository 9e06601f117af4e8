//! The rules of a call: how often, how long, how far apart.

mod adaptive;
mod allow;
#[cfg(feature = "serde")]
mod file;
#[cfg(feature = "serde")]
pub(crate) mod recorded;
mod rule;
mod sentence;
pub(crate) mod text;
mod waits;

pub use adaptive::AdaptiveTimeout;
pub(crate) use allow::Effect;
pub use allow::{Allow, Rules};
pub use rule::PolicyError;

use crate::backoff::{Backoff, Jitter};
use std::time::Duration;

/// How often a call is attempted, how long it may take, and how long it pauses in between.
///
/// A policy is a constant; the attribute [`macro@crate::retry`] judges it while it compiles, by the
/// same [`Policy::check`] that judges a policy made at run time.
///
/// | setting | default |
/// |---|---|
/// | [`max_attempts`](Self::max_attempts) | 3, the first included |
/// | [`multiplier`](Self::multiplier) | 2 |
/// | [`jitter`](Self::jitter) | [`Jitter::Full`] |
/// | [`attempt_timeout`](Self::attempt_timeout) | none: an attempt may last until the deadline |
/// | [`deadline`](Self::deadline) | none, and a policy without one is refused |
/// | [`max_retry_after`](Self::max_retry_after) | 5 minutes |
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::Policy;
///
/// // 3 x 180 ms of attempts and waits of at most 50 and 100 ms: 690 ms, which fits.
/// const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
///     .max_attempts(3)
///     .attempt_timeout(Duration::from_millis(180))
///     .deadline(Duration::from_millis(800));
/// assert!(CHECKOUT.check().is_ok());
///
/// let error = CHECKOUT.deadline(Duration::from_millis(500)).check().unwrap_err();
/// assert!(error.to_string().starts_with("worst case 690 ms exceeds the deadline of 500 ms"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Policy {
    backoff: Backoff,
    max_attempts: u32,
    attempt_timeout: Option<Duration>,
    deadline: Option<Duration>,
    cut_by_deadline: bool,
    owns_retries: bool,
    max_retry_after: Duration,
    adaptive: Option<AdaptiveTimeout>,
}

impl Policy {
    /// Waits whose limit starts at `base` and doubles up to `cap`; three attempts, full jitter.
    ///
    /// The limit before retry k, counted from 1, is `min(cap, base * multiplier^(k - 1))`.
    pub const fn exponential(base: Duration, cap: Duration) -> Self {
        Self::new(Backoff::exponential(base, cap), 3)
    }

    /// Waits with the same limit, `interval`, before every retry; three attempts, full jitter.
    pub const fn fixed(interval: Duration) -> Self {
        let mut backoff = Backoff::exponential(interval, interval);
        backoff.multiplier = 1.0;
        Self::new(backoff, 3)
    }

    /// Two attempts and no wait, for a lost optimistic race: the next attempt reads the new state.
    pub const fn immediate() -> Self {
        Self::new(Backoff::immediate(), 2)
    }

    /// One attempt: a deadline and an honest error, and no retry.
    pub const fn once() -> Self {
        Self::new(Backoff::immediate(), 1)
    }

    const fn new(backoff: Backoff, max_attempts: u32) -> Self {
        Self {
            backoff,
            max_attempts,
            attempt_timeout: None,
            deadline: None,
            cut_by_deadline: false,
            owns_retries: false,
            max_retry_after: Duration::from_secs(300),
            adaptive: None,
        }
    }

    /// By what the limit grows from retry to retry; at least 1, and 2 by default.
    pub const fn multiplier(mut self, multiplier: f64) -> Self {
        self.backoff.multiplier = multiplier;
        self
    }

    /// How a delay is drawn below its limit; [`Jitter::Full`] by default.
    pub const fn jitter(mut self, jitter: Jitter) -> Self {
        self.backoff.jitter = jitter;
        self
    }

    /// How many attempts a call may make, the first included; at least 1, and 3 by default.
    pub const fn max_attempts(mut self, max_attempts: u32) -> Self {
        self.max_attempts = max_attempts;
        self
    }

    /// How long one attempt may last: twice the 99th percentile of successful calls is a good start.
    ///
    /// An attempt never outlives the deadline, whatever this says. At least 20 ms.
    pub const fn attempt_timeout(mut self, attempt_timeout: Duration) -> Self {
        self.attempt_timeout = Some(attempt_timeout);
        self
    }

    /// Has the attempt timeout follow the downstream, below the fixed one.
    pub const fn adaptive_timeout(mut self, adaptive: AdaptiveTimeout) -> Self {
        self.adaptive = Some(adaptive);
        self
    }

    /// How long the whole call may last, attempts and waits together.
    ///
    /// It counts from the first poll of the call. Inside another annotated call the earlier of the
    /// two deadlines holds.
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Accepts that the deadline may cut the call before all of its attempts are made.
    pub const fn cut_by_deadline(mut self) -> Self {
        self.cut_by_deadline = true;
        self
    }

    /// Has calls retry even inside a call that retries, instead of handing their errors up.
    ///
    /// Layers multiply, so this is for a call whose repetition is cheap where that of the whole is
    /// not. The attempt limit of the outermost call bounds the product: its own retries and those
    /// made inside it come out of the same number.
    ///
    /// ```
    /// use std::time::Duration;
    /// use retry_runtime::Policy;
    ///
    /// const READ_LOCK: Policy = Policy::immediate().deadline(Duration::from_secs(1)).owns_retries();
    /// assert!(READ_LOCK.check().is_ok());
    /// ```
    pub const fn owns_retries(mut self) -> Self {
        self.owns_retries = true;
        self
    }

    /// The longest wait that a server may ask for; a longer one ends the call. 5 minutes by default.
    pub const fn max_retry_after(mut self, max_retry_after: Duration) -> Self {
        self.max_retry_after = max_retry_after;
        self
    }

    pub(crate) const fn attempts(&self) -> u32 {
        self.max_attempts
    }

    pub(crate) const fn owns(&self) -> bool {
        self.owns_retries
    }

    pub(crate) const fn backoff(&self) -> Backoff {
        self.backoff
    }

    pub(crate) const fn longest_retry_after(&self) -> Duration {
        self.max_retry_after
    }

    pub(crate) const fn longest_attempt(&self) -> Option<Duration> {
        self.attempt_timeout
    }

    pub(crate) const fn adaptive(&self) -> Option<&AdaptiveTimeout> {
        self.adaptive.as_ref()
    }

    pub(crate) const fn longest_call(&self) -> Option<Duration> {
        self.deadline
    }
}
