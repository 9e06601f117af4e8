//! How much a downstream is given at once: a rate, and a number of attempts side by side.

use crate::policy::text::{Text, error_in_words};

/// How many attempts may start per second.
///
/// An attempt beyond the limit ends its call at once with
/// [`Reason::RateLimited`](crate::Reason::RateLimited), or waits for its turn with
/// [`waiting`](Self::waiting); a wait that would not end before the deadline is not begun.
///
/// ```
/// use retry_runtime::{Downstream, RateLimit};
///
/// static GEOCODER: Downstream =
///     Downstream::new("geocoder").rate_limit(RateLimit::per_second(50).burst(10).waiting());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct RateLimit {
    pub(super) per_second: u32,
    pub(super) burst: u32,
    pub(super) waits: bool,
}

/// How many attempts may run side by side.
///
/// An attempt beyond the limit ends its call at once with
/// [`Reason::ConcurrencyLimited`](crate::Reason::ConcurrencyLimited), or, with `waiting`, waits for
/// its turn, first come first served, but not beyond the deadline. That needs the feature `waiting`.
///
/// ```
/// use retry_runtime::{ConcurrencyLimit, Downstream};
///
/// static REPORTS: Downstream =
///     Downstream::new("reports").concurrency_limit(ConcurrencyLimit::new(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ConcurrencyLimit {
    pub(super) attempts: u32,
    #[cfg(feature = "waiting")]
    pub(super) waits: bool,
}

/// Why a limit is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LimitError(Rule);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    RateZero,
    BurstZero,
    AttemptsZero,
    TooManyAttempts(u32),
}

/// tokio's semaphore holds no more on a machine of 32 bits.
const MOST_ATTEMPTS: u32 = u32::MAX >> 3;

impl RateLimit {
    /// So many attempts per second, one at a time.
    pub const fn per_second(attempts: u32) -> Self {
        Self { per_second: attempts, burst: 1, waits: false }
    }

    /// How many may start at once after a pause; 1 by default.
    pub const fn burst(mut self, attempts: u32) -> Self {
        self.burst = attempts;
        self
    }

    /// Attempts beyond the limit wait for their turn.
    pub const fn waiting(mut self) -> Self {
        self.waits = true;
        self
    }

    /// Judges the numbers.
    ///
    /// # Errors
    ///
    /// [`LimitError`] when one of them is zero.
    pub const fn check(&self) -> Result<(), LimitError> {
        match (self.per_second, self.burst) {
            (0, _) => Err(LimitError(Rule::RateZero)),
            (_, 0) => Err(LimitError(Rule::BurstZero)),
            _ => Ok(()),
        }
    }
}

impl ConcurrencyLimit {
    /// So many attempts side by side.
    pub const fn new(attempts: u32) -> Self {
        Self {
            attempts,
            #[cfg(feature = "waiting")]
            waits: false,
        }
    }

    /// Attempts beyond the limit wait for their turn; needs the feature `waiting`.
    #[cfg(feature = "waiting")]
    pub const fn waiting(mut self) -> Self {
        self.waits = true;
        self
    }

    /// Judges the number.
    ///
    /// # Errors
    ///
    /// [`LimitError`] when it is zero, or more than 536,870,911.
    pub const fn check(&self) -> Result<(), LimitError> {
        if self.attempts == 0 {
            Err(LimitError(Rule::AttemptsZero))
        } else if self.attempts > MOST_ATTEMPTS {
            Err(LimitError(Rule::TooManyAttempts(self.attempts)))
        } else {
            Ok(())
        }
    }
}

impl LimitError {
    pub(crate) const fn text(self) -> Text {
        let text = Text::new();
        match self.0 {
            Rule::RateZero => text.push(
                "the rate limit is 0 per second, so nothing would ever be sent: write at least 1",
            ),
            Rule::BurstZero => text.push(
                "the rate limit has a `burst` of 0, so nothing would ever be sent: write at least 1",
            ),
            Rule::AttemptsZero => text.push(
                "the concurrency limit is 0, so nothing would ever be sent: write at least 1",
            ),
            Rule::TooManyAttempts(attempts) => text
                .push("the concurrency limit is ")
                .number(attempts as u128)
                .push(", which limits nothing: write what the downstream can serve side by side"),
        }
    }
}

error_in_words!(LimitError);
