//! Events as those of `tracing`, each at the level of its importance.
//!
//! An attempt that failed and is repeated is no error: it is worth a warning. Giving up is one, and
//! only where the call owned its retries; where it did not, the error is the owner's to judge.

use super::{AttemptEnd, BreakerState, CallEnd, Event, Facts};
use crate::decide::{Decision, Situation};
use std::fmt::{self, Debug};
use std::time::Duration;
use tracing::field::debug;

/// What filters name.
pub(super) const TARGET: &str = "retry_runtime";

/// A root id as it is written everywhere.
pub(super) struct Root(pub(super) u64);

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// One event, with the facts of its call beside its own fields.
macro_rules! say {
    ($level:ident, $facts:ident, { $($fields:tt)* }, $($message:tt)+) => {
        tracing::event!(
            target: TARGET,
            tracing::Level::$level,
            {
                root = %Root($facts.root_id),
                id = $facts.call_id,
                call = $facts.call,
                downstream = $facts.downstream,
                attempt = $facts.attempt,
                owner = $facts.owner,
                time_left = limited(Some($facts.time_left)).map(debug),
                key = $facts.key.map(tracing::field::display),
                $($fields)*
            },
            $($message)+
        )
    };
}

/// None where nothing limits it.
fn limited(time: Option<Duration>) -> Option<Duration> {
    time.filter(|time| *time != Duration::MAX)
}

pub(super) fn tell(event: &Event<'_>, facts: &Facts<'_>) {
    match *event {
        Event::CallStarted { place, .. } => say!(DEBUG, facts, { %place, }, "call started"),
        Event::Queued => say!(DEBUG, facts, {}, "waits for room"),
        Event::Refused { reason, come_back_in } => {
            say!(DEBUG, facts, { reason = reason.name(), ?come_back_in, }, "not sent: {reason}");
        }
        Event::AttemptStarted { timeout, limit } => {
            let timeout = timeout.map(debug);
            say!(DEBUG, facts, { timeout, ?limit, }, "attempt started");
        }
        Event::AttemptEnded { end, took } => attempt_ended(end, took, facts),
        Event::QuestionStarted { timeout } => {
            say!(DEBUG, facts, { timeout = timeout.map(debug), }, "asks whether it was applied");
        }
        Event::QuestionEnded { answer, took } => {
            say!(DEBUG, facts, { answer = answer.map(debug), ?took, }, "the question has ended");
        }
        Event::Decided { situation, decision, error } => {
            decided(&situation, decision, error, facts);
        }
        Event::Waited { took } => say!(DEBUG, facts, { ?took, }, "waited"),
        Event::CallEnded { end, elapsed, waited } => call_ended(end, elapsed, waited, facts),
        Event::BudgetExhausted { downstream: whose, tokens } => {
            say!(WARN, facts, { whose, tokens, }, "the retry budget of {whose} is exhausted");
        }
        Event::BreakerMoved { downstream: whose, from, to } => moved(whose, from, to, facts),
        Event::TimeoutAdapted { from, to } => {
            let (from, to) = (from.map(debug), to.map(debug));
            say!(DEBUG, facts, { from, to, }, "the adaptive timeout has changed");
        }
    }
}

fn attempt_ended(end: AttemptEnd<'_>, took: Duration, facts: &Facts<'_>) {
    match end {
        AttemptEnd::Succeeded => say!(DEBUG, facts, { ?took, }, "attempt succeeded"),
        AttemptEnd::Failed { class, error } => {
            let error = error.map(debug);
            say!(DEBUG, facts, { ?took, ?class, error, }, "attempt failed");
        }
        AttemptEnd::TimedOut { class, limit } => {
            say!(DEBUG, facts, { ?took, ?class, ?limit, }, "attempt timed out");
        }
        AttemptEnd::Panicked => say!(WARN, facts, { ?took, }, "attempt panicked"),
        AttemptEnd::Dropped => say!(DEBUG, facts, { ?took, }, "attempt dropped"),
    }
}

fn decided(
    situation: &Situation<'_>,
    decision: Decision,
    error: Option<&dyn Debug>,
    facts: &Facts<'_>,
) {
    let (class, error, draw) = (situation.class, error.map(debug), situation.draw);
    match decision {
        Decision::Retry(delay) => {
            let (limit, delay, source) = (delay.limit, delay.drawn, delay.source);
            say!(
                WARN,
                facts,
                { error, ?class, ?delay, ?limit, ?source, draw, },
                "attempt {} failed, the next one follows in {delay:?}", facts.attempt
            );
        }
        Decision::Stop(reason) => {
            say!(DEBUG, facts, { error, ?class, reason = reason.name(), draw, }, "stops: {reason}");
        }
    }
}

fn call_ended(end: CallEnd<'_>, elapsed: Duration, waited: Duration, facts: &Facts<'_>) {
    let attempts = facts.attempt;
    match end {
        CallEnd::Succeeded => {
            say!(DEBUG, facts, { attempts, ?elapsed, ?waited, }, "call succeeded");
        }
        CallEnd::GaveUp { reason, outcome, last } if facts.owner => {
            let (error, name) = (last.map(debug), reason.name());
            say!(
                ERROR,
                facts,
                { attempts, ?elapsed, ?waited, reason = name, ?outcome, error, },
                "gave up: {reason}"
            );
        }
        CallEnd::GaveUp { reason, outcome, last } => {
            let (error, name) = (last.map(debug), reason.name());
            say!(
                DEBUG,
                facts,
                { attempts, ?elapsed, ?waited, reason = name, ?outcome, error, },
                "hands its error up: {reason}"
            );
        }
        CallEnd::Panicked => say!(WARN, facts, { attempts, ?elapsed, ?waited, }, "call panicked"),
        CallEnd::Dropped => say!(DEBUG, facts, { attempts, ?elapsed, ?waited, }, "call dropped"),
    }
}

fn moved(whose: &str, from: BreakerState, to: BreakerState, facts: &Facts<'_>) {
    let (from, to) = (from.name(), to.name());
    if to == BreakerState::Open.name() {
        say!(WARN, facts, { whose, from, to, }, "the circuit breaker of {whose} is open");
    } else {
        say!(INFO, facts, { whose, from, to, }, "the circuit breaker of {whose} is {to}");
    }
}
