//! What can happen in the course of a call.

use crate::call::Limit;
use crate::classify::Class;
use crate::decide::{Decision, Situation};
use crate::error::{Outcome, Reason};
use std::fmt;
use std::panic::Location;
use std::time::Duration;

/// Something that happened; the facts of its call come beside it, as [`Facts`](super::Facts).
///
/// In the order in which a call has them: it starts, an attempt starts and ends, what follows is
/// decided, the call waits, and so on until it ends. A question is what `reconcile` asks about an
/// attempt that may have been applied.
///
/// ```
/// use retry_runtime::observe::Event;
///
/// fn is_important(event: &Event<'_>) -> bool {
///     matches!(event, Event::BreakerMoved { .. } | Event::BudgetExhausted { .. })
/// }
/// # let _ = is_important;
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// The call begins.
    CallStarted {
        /// The observed call whose attempt makes this one, by its [`call_id`](super::Facts::call_id).
        parent: Option<u64>,
        /// Where the function is annotated.
        place: Place<'e>,
    },
    /// A limit of the downstream makes the attempt, or the question, wait for room.
    Queued,
    /// The attempt, or the question, may not start, and the call goes no further.
    Refused {
        /// Why.
        reason: Reason,
        /// How long to stay away; zero where nobody can say.
        come_back_in: Duration,
    },
    /// The attempt of this number starts.
    AttemptStarted {
        /// How long it may last; none where nothing limits it.
        timeout: Option<Duration>,
        /// What limits it.
        limit: Limit,
    },
    /// The attempt has ended.
    AttemptEnded {
        /// How.
        end: AttemptEnd<'e>,
        /// How long it ran.
        took: Duration,
    },
    /// The server is asked whether the attempt was applied.
    QuestionStarted {
        /// How long the question may last; none where nothing limits it.
        timeout: Option<Duration>,
    },
    /// The question has ended.
    QuestionEnded {
        /// What the server says; none where the question failed or had no time.
        answer: Option<Answer>,
        /// How long it took.
        took: Duration,
    },
    /// What follows a failed attempt was decided.
    Decided {
        /// All that the decision depends on: [`decide`](crate::decide::decide) makes the same of it.
        situation: Situation<'e>,
        /// Go on, with the delay, or stop, with the reason.
        decision: Decision,
        /// The error of the attempt; none where it timed out.
        error: Option<&'e dyn fmt::Debug>,
    },
    /// The pause before a retry is over.
    Waited {
        /// How long it lasted, which the timer makes a little longer than the delay that was drawn.
        took: Duration,
    },
    /// The call has ended, and this is the last that is heard of it.
    CallEnded {
        /// How.
        end: CallEnd<'e>,
        /// From its beginning, attempts and waits together.
        elapsed: Duration,
        /// How much of that it waited between attempts.
        waited: Duration,
    },
    /// A retry was not made, because a retry budget holds too little for it.
    BudgetExhausted {
        /// Whose budget: that of the call's downstream, or of its parent.
        downstream: &'e str,
        /// What it holds.
        tokens: f64,
    },
    /// A circuit breaker changes its state, because of this call.
    BreakerMoved {
        /// Whose breaker: that of the call's downstream, or of its parent.
        downstream: &'e str,
        /// The state before.
        from: BreakerState,
        /// The state from now on.
        to: BreakerState,
    },
    /// The attempt timeout that follows the latency of the downstream is another than the last that
    /// was observed.
    TimeoutAdapted {
        /// The timeout before; none while the policy's own held.
        from: Option<Duration>,
        /// The timeout from now on.
        to: Option<Duration>,
    },
}

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place<'e> {
    /// The file, as the compiler was given it.
    pub file: &'e str,
    /// The line, from 1.
    pub line: u32,
}

impl From<&'static Location<'static>> for Place<'static> {
    fn from(location: &'static Location<'static>) -> Self {
        Self { file: location.file(), line: location.line() }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum AttemptEnd<'e> {
    /// The body gave a value.
    Succeeded,
    /// The body gave an error.
    Failed {
        /// What the error says about trying again, and whether the request was delivered.
        class: Class,
        /// The error itself.
        error: Option<&'e dyn fmt::Debug>,
    },
    /// The body was cut.
    TimedOut {
        /// What it counts as.
        class: Class,
        /// By what.
        limit: Limit,
    },
    /// The body panicked.
    Panicked,
    /// The caller went away.
    Dropped,
}

/// How a call ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum CallEnd<'e> {
    /// With a value.
    Succeeded,
    /// Without one.
    GaveUp {
        /// Why it went no further.
        reason: Reason,
        /// What is known of its effect.
        outcome: Outcome,
        /// The last error of the downstream, if there was one.
        last: Option<&'e dyn fmt::Debug>,
    },
    /// The body panicked.
    Panicked,
    /// The caller went away.
    Dropped,
}

/// What the server says of a write that may have been applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Answer {
    /// It was applied, and the call succeeds.
    Applied,
    /// It was not.
    NotApplied,
    /// Nobody can say.
    Unknown,
}

/// The state of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BreakerState {
    /// Every call goes through.
    Closed,
    /// No call goes through.
    Open,
    /// A few probes go through.
    HalfOpen,
    /// A growing share of the calls goes through.
    Recovering,
}

impl BreakerState {
    /// A short name for tables and metrics, such as `half-open`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half-open",
            Self::Recovering => "recovering",
        }
    }
}
