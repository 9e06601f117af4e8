//! What happens after an attempt: the one function that decides, pure and complete.
//!
//! Everything the decision depends on comes in as a value, and the decision and its reason go out.
//! There is no clock, no randomness and no runtime in here. The async loop calls it, and so does
//! everything that simulates, replays or tests the loop.
//!
//! ```
//! use std::time::Duration;
//! use retry_runtime::{Class, Policy, Reason, decide::{Decision, Situation, decide}};
//!
//! let policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(1))
//!     .max_attempts(3)
//!     .deadline(Duration::from_secs(5));
//! let mut situation = Situation {
//!     policy: &policy,
//!     attempt: 1,
//!     owner: true,
//!     retries_left: u32::MAX,
//!     class: Class::TRANSIENT,
//!     unanswered: false,
//!     time_left: Duration::from_secs(5),
//!     previous_delay: None,
//!     open_for: None,
//!     token_available: true,
//!     draw: u64::MAX / 2,
//! };
//! let Decision::Retry(delay) = decide(&situation) else { panic!("expected a retry") };
//! assert_eq!(delay.limit, Duration::from_millis(100));
//! assert!(delay.drawn.abs_diff(Duration::from_millis(50)) < Duration::from_micros(1));
//!
//! situation.attempt = 3;
//! assert_eq!(decide(&situation), Decision::Stop(Reason::AttemptLimit));
//! ```

mod case;

pub(crate) use case::{Case, Wait};

use crate::time::Span;
use crate::{Class, Policy, Reason};
use std::time::Duration;

/// A wait ends up to this much later than asked, even where nothing else is going on.
///
/// tokio's timer counts whole milliseconds. It rounds the end of a wait up to one, and then sleeps
/// for a whole number of them from wherever between two it is: each adds less than a millisecond.
pub const TIMER_SLACK: Duration = Duration::from_nanos(1_999_998);
const SLACK: Span = Span::of_duration(TIMER_SLACK);

/// All that a decision depends on, after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation<'p> {
    /// The rules of the call.
    pub policy: &'p Policy,
    /// The number of the attempt that failed; the first is 1.
    pub attempt: u32,
    /// Whether this call owns the retries of its request; false inside an attempt of a retried call.
    pub owner: bool,
    /// How many retries the whole request may still make; `u32::MAX` where nothing limits it.
    pub retries_left: u32,
    /// What the failure says.
    pub class: Class,
    /// Whether the server was asked if the attempt was applied, and could not say.
    pub unanswered: bool,
    /// From now to the earliest deadline; [`Duration::MAX`] where there is none.
    pub time_left: Duration,
    /// The delay drawn before the attempt that failed, if it was a retry.
    pub previous_delay: Option<Duration>,
    /// How long the downstream's circuit breaker lets nobody through, if it does not.
    pub open_for: Option<Duration>,
    /// Whether the downstream's retry budget holds a token for one more retry.
    pub token_available: bool,
    /// An evenly distributed random number.
    pub draw: u64,
}

/// Go on or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Decision {
    /// Wait this long, then start the next attempt.
    Retry(Delay),
    /// End the call now.
    Stop(Reason),
}

/// How long to wait before the next attempt, and where the number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Delay {
    /// The longest delay that could have been drawn; the hint itself when the server gave one.
    #[cfg_attr(feature = "serde", serde(rename = "limit_ns", with = "crate::nanos"))]
    pub limit: Duration,
    /// The delay to wait.
    #[cfg_attr(feature = "serde", serde(rename = "drawn_ns", with = "crate::nanos"))]
    pub drawn: Duration,
    /// Where it comes from.
    pub source: DelaySource,
}

/// Who chose a delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DelaySource {
    /// The policy's backoff.
    Backoff,
    /// The server, by `Retry-After` or the like.
    Hint,
}

/// Decides what follows a failed attempt.
///
/// The reasons are tried in a fixed order, the ones that hold whatever the caller configures first:
/// no time left at all, a permanent failure, no attempts left, no right to retry, none left of the
/// request's, no time for the wait, a hint beyond the policy's limit, a breaker that is open beyond the wait, no token.
#[must_use]
pub fn decide(situation: &Situation<'_>) -> Decision {
    Case::of(situation).decide().into()
}

/// Decides whether an attempt may start: only while some time is left.
///
/// # Errors
///
/// [`Reason::Deadline`] when `time_left` is zero.
pub fn admit(time_left: Duration) -> Result<(), Reason> {
    admit_in(Span::of_duration(time_left))
}

/// The same in one word.
#[inline]
pub(crate) fn admit_in(time_left: Span) -> Result<(), Reason> {
    if time_left == Span::ZERO { Err(Reason::Deadline) } else { Ok(()) }
}

impl Case<'_> {
    /// See [`decide`]; this is what it does.
    #[inline]
    pub(crate) fn decide(&self) -> Result<Wait, Reason> {
        let Self { policy, attempt, class, time_left, .. } = *self;
        if self.unanswered {
            return Err(Reason::UnknownOutcome);
        }
        admit_in(time_left)?;
        if !class.is_retryable() {
            return Err(Reason::NotRetryable);
        }
        if attempt >= policy.attempts() {
            return Err(Reason::AttemptLimit);
        }
        if !self.owner {
            return Err(Reason::NotOwner);
        }
        if self.retries_left == 0 {
            return Err(Reason::AttemptLimit);
        }
        let wait = self.wait();
        admit_in(time_left.less(wait.longest()))?;
        if wait.is_too_long_a_hint(policy) {
            return Err(Reason::RetryAfterTooLong);
        }
        if self.open_for > wait.drawn {
            return Err(Reason::CircuitOpen);
        }
        if !self.token_available {
            return Err(Reason::BudgetExhausted);
        }
        Ok(wait)
    }

    /// The same where it is rarely asked.
    #[cold]
    pub(crate) fn decide_again(&self) -> Result<Wait, Reason> {
        self.decide()
    }

    /// A hint replaces the backoff unless it is zero, which says "now" and would synchronise everyone.
    #[inline]
    fn wait(&self) -> Wait {
        match self.class.hint() {
            Some(hint) if !hint.is_zero() => {
                let hint = Span::of_duration(hint);
                Wait { limit: hint, drawn: hint, source: DelaySource::Hint }
            }
            _ => {
                let range = self.policy.backoff().range(self.attempt, self.previous_delay);
                let drawn = Span::of_nanos(range.draw(self.draw));
                let limit = Span::of_nanos(range.limit);
                Wait { limit, drawn, source: DelaySource::Backoff }
            }
        }
    }
}

impl Wait {
    /// How long it can take by tokio's timer; a wait of zero only yields.
    #[inline]
    fn longest(self) -> Span {
        if self.drawn == Span::ZERO { Span::ZERO } else { self.drawn.plus(SLACK) }
    }

    #[inline]
    fn is_too_long_a_hint(self, policy: &Policy) -> bool {
        self.source == DelaySource::Hint
            && self.drawn > Span::of_duration(policy.longest_retry_after())
    }
}
