//! What happened, as it is kept.

use super::entry::Entry;
use crate::call::Limit;
use crate::classify::Class;
use crate::decide::{Decision, Situation};
use crate::error::{Outcome, Reason};
use crate::observe::{Answer, AttemptEnd, BreakerState, CallEnd, Event, Place};
use crate::policy::Policy;
use std::fmt::{self, Debug};
use std::time::Duration;

/// What happened; see [`Event`], whose variants these are.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub(super) enum Happened {
    CallStarted {
        parent: Option<u64>,
        file: String,
        line: u32,
        #[cfg_attr(feature = "serde", serde(with = "crate::policy::recorded"))]
        policy: Policy,
    },
    Queued,
    Refused {
        reason: Reason,
        #[cfg_attr(feature = "serde", serde(rename = "come_back_in_ns", with = "crate::nanos"))]
        come_back_in: Duration,
    },
    AttemptStarted {
        #[cfg_attr(feature = "serde", serde(rename = "timeout_ns", with = "crate::nanos::option"))]
        timeout: Option<Duration>,
        limit: Limit,
    },
    AttemptEnded {
        end: Ended,
        #[cfg_attr(feature = "serde", serde(rename = "took_ns", with = "crate::nanos"))]
        took: Duration,
    },
    QuestionStarted {
        #[cfg_attr(feature = "serde", serde(rename = "timeout_ns", with = "crate::nanos::option"))]
        timeout: Option<Duration>,
    },
    QuestionEnded {
        answer: Option<Answer>,
        #[cfg_attr(feature = "serde", serde(rename = "took_ns", with = "crate::nanos"))]
        took: Duration,
    },
    Decided(Decided),
    Waited {
        #[cfg_attr(feature = "serde", serde(rename = "took_ns", with = "crate::nanos"))]
        took: Duration,
    },
    CallEnded {
        end: Over,
        #[cfg_attr(feature = "serde", serde(rename = "elapsed_ns", with = "crate::nanos"))]
        elapsed: Duration,
        #[cfg_attr(feature = "serde", serde(rename = "waited_ns", with = "crate::nanos"))]
        waited: Duration,
    },
    BudgetExhausted {
        downstream: String,
        tokens: f64,
    },
    BreakerMoved {
        downstream: String,
        from: BreakerState,
        to: BreakerState,
    },
    TimeoutAdapted {
        #[cfg_attr(feature = "serde", serde(rename = "from_ns", with = "crate::nanos::option"))]
        from: Option<Duration>,
        #[cfg_attr(feature = "serde", serde(rename = "to_ns", with = "crate::nanos::option"))]
        to: Option<Duration>,
    },
}

/// A situation, less what the facts of the call say already.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Decided {
    pub(super) class: Class,
    pub(super) unanswered: bool,
    pub(super) retries_left: u32,
    #[cfg_attr(
        feature = "serde",
        serde(rename = "previous_delay_ns", with = "crate::nanos::option")
    )]
    pub(super) previous_delay: Option<Duration>,
    #[cfg_attr(feature = "serde", serde(rename = "open_for_ns", with = "crate::nanos::option"))]
    pub(super) open_for: Option<Duration>,
    pub(super) token_available: bool,
    pub(super) draw: u64,
    pub(super) decision: Decision,
    pub(super) error: Option<Words>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub(super) enum Ended {
    Succeeded,
    Failed { class: Class, error: Option<Words> },
    TimedOut { class: Class, limit: Limit },
    Panicked,
    Dropped,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub(super) enum Over {
    Succeeded,
    GaveUp { reason: Reason, outcome: Outcome, last: Option<Words> },
    Panicked,
    Dropped,
}

/// What an error said of itself, which it says again.
#[derive(Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Words(String);

impl Words {
    fn of(error: Option<&dyn Debug>) -> Option<Self> {
        error.map(|error| Self(format!("{error:?}")))
    }

    fn shown(words: Option<&Self>) -> Option<&dyn Debug> {
        words.map(|words| words as &dyn Debug)
    }
}

impl Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Happened {
    pub(super) fn of(event: &Event<'_>, policy: &Policy) -> Self {
        match *event {
            Event::CallStarted { parent, place } => Self::CallStarted {
                parent,
                file: place.file.to_owned(),
                line: place.line,
                policy: *policy,
            },
            Event::Queued => Self::Queued,
            Event::Refused { reason, come_back_in } => Self::Refused { reason, come_back_in },
            Event::AttemptStarted { timeout, limit } => Self::AttemptStarted { timeout, limit },
            Event::AttemptEnded { end, took } => Self::AttemptEnded { end: Ended::of(end), took },
            Event::QuestionStarted { timeout } => Self::QuestionStarted { timeout },
            Event::QuestionEnded { answer, took } => Self::QuestionEnded { answer, took },
            Event::Decided { situation, decision, error } => {
                Self::Decided(Decided::of(&situation, decision, error))
            }
            Event::Waited { took } => Self::Waited { took },
            Event::CallEnded { end, elapsed, waited } => {
                Self::CallEnded { end: Over::of(end), elapsed, waited }
            }
            Event::BudgetExhausted { downstream, tokens } => {
                Self::BudgetExhausted { downstream: downstream.to_owned(), tokens }
            }
            Event::BreakerMoved { downstream, from, to } => {
                Self::BreakerMoved { downstream: downstream.to_owned(), from, to }
            }
            Event::TimeoutAdapted { from, to } => Self::TimeoutAdapted { from, to },
        }
    }

    /// The word for it in a file.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::CallStarted { .. } => "call_started",
            Self::Queued => "queued",
            Self::Refused { .. } => "refused",
            Self::AttemptStarted { .. } => "attempt_started",
            Self::AttemptEnded { .. } => "attempt_ended",
            Self::QuestionStarted { .. } => "question_started",
            Self::QuestionEnded { .. } => "question_ended",
            Self::Decided(_) => "decided",
            Self::Waited { .. } => "waited",
            Self::CallEnded { .. } => "call_ended",
            Self::BudgetExhausted { .. } => "budget_exhausted",
            Self::BreakerMoved { .. } => "breaker_moved",
            Self::TimeoutAdapted { .. } => "timeout_adapted",
        }
    }

    /// The event again, of an entry.
    pub(super) fn shown<'e>(&'e self, entry: &'e Entry, policy: &'e Policy) -> Event<'e> {
        match self {
            Happened::CallStarted { parent, file, line, .. } => {
                Event::CallStarted { parent: *parent, place: Place { file, line: *line } }
            }
            Happened::Queued => Event::Queued,
            Happened::Refused { reason, come_back_in } => {
                Event::Refused { reason: *reason, come_back_in: *come_back_in }
            }
            Happened::AttemptStarted { timeout, limit } => {
                Event::AttemptStarted { timeout: *timeout, limit: *limit }
            }
            Happened::AttemptEnded { end, took } => {
                Event::AttemptEnded { end: end.shown(), took: *took }
            }
            Happened::QuestionStarted { timeout } => Event::QuestionStarted { timeout: *timeout },
            Happened::QuestionEnded { answer, took } => {
                Event::QuestionEnded { answer: *answer, took: *took }
            }
            Happened::Decided(decided) => Event::Decided {
                situation: decided.situation(entry, policy),
                decision: decided.decision,
                error: Words::shown(decided.error.as_ref()),
            },
            Happened::Waited { took } => Event::Waited { took: *took },
            Happened::CallEnded { end, elapsed, waited } => {
                Event::CallEnded { end: end.shown(), elapsed: *elapsed, waited: *waited }
            }
            Happened::BudgetExhausted { downstream, tokens } => {
                Event::BudgetExhausted { downstream, tokens: *tokens }
            }
            Happened::BreakerMoved { downstream, from, to } => {
                Event::BreakerMoved { downstream, from: *from, to: *to }
            }
            Happened::TimeoutAdapted { from, to } => Event::TimeoutAdapted { from: *from, to: *to },
        }
    }
}

impl Decided {
    fn of(situation: &Situation<'_>, decision: Decision, error: Option<&dyn Debug>) -> Self {
        Self {
            class: situation.class,
            unanswered: situation.unanswered,
            retries_left: situation.retries_left,
            previous_delay: situation.previous_delay,
            open_for: situation.open_for,
            token_available: situation.token_available,
            draw: situation.draw,
            decision,
            error: Words::of(error),
        }
    }

    /// All that was decided upon.
    pub(super) fn situation<'p>(&self, entry: &Entry, policy: &'p Policy) -> Situation<'p> {
        Situation {
            policy,
            attempt: entry.attempt,
            owner: entry.owner,
            retries_left: self.retries_left,
            class: self.class,
            unanswered: self.unanswered,
            time_left: entry.time_left.unwrap_or(Duration::MAX),
            previous_delay: self.previous_delay,
            open_for: self.open_for,
            token_available: self.token_available,
            draw: self.draw,
        }
    }
}

impl Ended {
    fn of(end: AttemptEnd<'_>) -> Self {
        match end {
            AttemptEnd::Succeeded => Self::Succeeded,
            AttemptEnd::Failed { class, error } => Self::Failed { class, error: Words::of(error) },
            AttemptEnd::TimedOut { class, limit } => Self::TimedOut { class, limit },
            AttemptEnd::Panicked => Self::Panicked,
            AttemptEnd::Dropped => Self::Dropped,
        }
    }

    fn shown(&self) -> AttemptEnd<'_> {
        match self {
            Self::Succeeded => AttemptEnd::Succeeded,
            Self::Failed { class, error } => {
                AttemptEnd::Failed { class: *class, error: Words::shown(error.as_ref()) }
            }
            Self::TimedOut { class, limit } => {
                AttemptEnd::TimedOut { class: *class, limit: *limit }
            }
            Self::Panicked => AttemptEnd::Panicked,
            Self::Dropped => AttemptEnd::Dropped,
        }
    }
}

impl Over {
    fn of(end: CallEnd<'_>) -> Self {
        match end {
            CallEnd::Succeeded => Self::Succeeded,
            CallEnd::GaveUp { reason, outcome, last } => {
                Self::GaveUp { reason, outcome, last: Words::of(last) }
            }
            CallEnd::Panicked => Self::Panicked,
            CallEnd::Dropped => Self::Dropped,
        }
    }

    fn shown(&self) -> CallEnd<'_> {
        match self {
            Self::Succeeded => CallEnd::Succeeded,
            Self::GaveUp { reason, outcome, last } => CallEnd::GaveUp {
                reason: *reason,
                outcome: *outcome,
                last: Words::shown(last.as_ref()),
            },
            Self::Panicked => CallEnd::Panicked,
            Self::Dropped => CallEnd::Dropped,
        }
    }
}
