//! The facts of a stop, without the error of the downstream.

use crate::classify::{Class, Classify};
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::time::Duration;

/// Why a call went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Reason {
    /// The failure is of a kind that another attempt cannot mend.
    NotRetryable,
    /// All attempts of the policy were made.
    AttemptLimit,
    /// The deadline has come, or the next wait would end at or after it.
    Deadline,
    /// The server asks for a longer wait than the policy accepts.
    RetryAfterTooLong,
    /// The retry budget of the downstream holds no token.
    BudgetExhausted,
    /// The circuit breaker of the downstream is open.
    CircuitOpen,
    /// The rate limit of the downstream is reached.
    RateLimited,
    /// The concurrency limit of the downstream is reached.
    ConcurrencyLimited,
    /// An enclosing call owns the retries of this request.
    NotOwner,
    /// The write may have been applied, and the server that was asked could not say.
    UnknownOutcome,
    /// The idempotency key is empty or cannot be sent.
    InvalidKey,
}

impl Reason {
    /// A short name for tables and metrics, such as `attempt_limit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotRetryable => "not_retryable",
            Self::AttemptLimit => "attempt_limit",
            Self::Deadline => "deadline",
            Self::RetryAfterTooLong => "retry_after_too_long",
            Self::BudgetExhausted => "budget_exhausted",
            Self::CircuitOpen => "circuit_open",
            Self::RateLimited => "rate_limited",
            Self::ConcurrencyLimited => "concurrency_limited",
            Self::NotOwner => "not_owner",
            Self::UnknownOutcome => "unknown_outcome",
            Self::InvalidKey => "invalid_key",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotRetryable => "another attempt would fail the same way",
            Self::AttemptLimit => "no attempts are left",
            Self::Deadline => "the deadline leaves no time for another attempt",
            Self::RetryAfterTooLong => "the server asks for a longer wait than the policy accepts",
            Self::BudgetExhausted => "the retry budget is exhausted",
            Self::CircuitOpen => "the circuit breaker is open",
            Self::RateLimited => "the rate limit is reached",
            Self::ConcurrencyLimited => "the concurrency limit is reached",
            Self::NotOwner => "an enclosing call owns the retries",
            Self::UnknownOutcome => "the write may have been applied and must not be repeated",
            Self::InvalidKey => "the idempotency key is empty or not printable",
        })
    }
}

/// What is known of the effect of a call that did not succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// No attempt of this call had an effect: none was sent, or the server says that it did not act
    /// on any, and no annotated write inside one was applied.
    NotApplied,
    /// An attempt may have had its effect: it timed out, or its answer was lost. Attempts that
    /// surely did nothing change nothing about an earlier one.
    ///
    /// After a call with an idempotency key it is safe to call again with the same key, or to ask
    /// the server. After a `once` call only asking helps.
    Unknown,
}

/// Why and how a call stopped, for error types that keep no error of the downstream beside it.
///
/// A function that returns `Result<T, E>` gets one when it stops without an `E` of its own, such as
/// when its only attempt timed out; see [`FromStopped`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    pub(crate) reason: Reason,
    pub(crate) outcome: Outcome,
    pub(crate) attempts: u32,
    pub(crate) elapsed: Duration,
    /// What the last failure says; permanent where it must not be repeated.
    pub(crate) class: Class,
}

/// The type of the field of a variant that is marked `stopped`, which is [`Stopped`] alone.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold why a call stopped: the field of a variant marked `stopped` is a `retry_runtime::Stopped`",
    label = "expected `retry_runtime::Stopped`"
)]
pub trait StoppedField {
    /// What the stop means for an outer call.
    fn class(&self) -> Class;
    /// The field.
    fn of(stopped: Stopped) -> Self;
}

impl StoppedField for Stopped {
    fn class(&self) -> Class {
        self.classify()
    }

    fn of(stopped: Stopped) -> Self {
        stopped
    }
}

impl Stopped {
    /// For expansions that never run.
    pub(crate) const NEVER: Self = Self {
        reason: Reason::NotRetryable,
        outcome: Outcome::NotApplied,
        attempts: 0,
        elapsed: Duration::ZERO,
        class: Class::PERMANENT,
    };

    /// Why the call went no further.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// What is known of the effect of the call.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// How many attempts were started; 0 if the call was refused before the first.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How long the call took, attempts and waits together.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// How long the server asked to be left alone when it last failed.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.class.hint()
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, attempts, .. } = self;
        let plural = if *attempts == 1 { "" } else { "s" };
        // More digits than anybody reads say less.
        let elapsed = match u64::try_from(self.elapsed.as_millis()) {
            Ok(millis) if millis > 0 => Duration::from_millis(millis),
            _ => self.elapsed,
        };
        write!(f, "gave up after {attempts} attempt{plural} in {elapsed:?}: {reason}")?;
        if self.outcome == Outcome::Unknown {
            f.write_str("; the outcome is unknown")?;
        }
        Ok(())
    }
}

impl StdError for Stopped {}

/// To an outer call a stop is permanent, unless this call made its one attempt and left the
/// decision to the owner of the retries.
impl Classify for Stopped {
    fn classify(&self) -> Class {
        match self.reason {
            Reason::NotOwner | Reason::RateLimited | Reason::ConcurrencyLimited => self.class,
            Reason::AttemptLimit if self.attempts == 1 => self.class,
            _ => self.class.permanent(),
        }
    }
}

/// An error type that can say that a call stopped without an error of the downstream.
///
/// With `#[derive(Classify)]` it is a variant with one field of type [`Stopped`], marked
/// `#[classify(stopped)]`. `std::io::Error` and `Box<dyn Error + Send + Sync>` are such types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot say that a call was stopped without an error of its own, such as by a timeout",
    label = "this error type has to implement `FromStopped`",
    note = "add a variant for it: `#[classify(stopped)] Stopped(retry_runtime::Stopped)`",
    note = "or return `Result<_, retry_runtime::Error<{Self}>>`, which carries the reason beside the error"
)]
pub trait FromStopped {
    /// The error that says so.
    fn from_stopped(stopped: Stopped) -> Self;
}

impl FromStopped for io::Error {
    fn from_stopped(stopped: Stopped) -> Self {
        let kind = match stopped.reason {
            Reason::Deadline | Reason::AttemptLimit | Reason::NotOwner => io::ErrorKind::TimedOut,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, stopped)
    }
}

impl FromStopped for Box<dyn StdError + Send + Sync> {
    fn from_stopped(stopped: Stopped) -> Self {
        Box::new(stopped)
    }
}

impl FromStopped for Box<dyn StdError + Send> {
    fn from_stopped(stopped: Stopped) -> Self {
        Box::new(stopped)
    }
}

impl FromStopped for Box<dyn StdError> {
    fn from_stopped(stopped: Stopped) -> Self {
        Box::new(stopped)
    }
}

#[cfg(feature = "anyhow")]
impl FromStopped for anyhow::Error {
    fn from_stopped(stopped: Stopped) -> Self {
        Self::new(stopped)
    }
}
