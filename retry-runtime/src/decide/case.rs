//! What a decision depends on and what comes of it, as the loop has it: lengths of time in one word
//! each, because to take one apart into seconds and nanoseconds, and to put it together again, takes
//! longer than to decide.

use super::{Decision, Delay, DelaySource, Situation};
use crate::time::Span;
use crate::{Class, Policy, Reason};
use std::time::Duration;

/// A [`Situation`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'p> {
    pub(crate) policy: &'p Policy,
    pub(crate) attempt: u32,
    pub(crate) owner: bool,
    pub(crate) retries_left: u32,
    pub(crate) class: Class,
    pub(crate) unanswered: bool,
    /// Endless where there is no deadline.
    pub(crate) time_left: Span,
    /// Endless where there was none.
    pub(crate) previous_delay: Span,
    /// Zero where the breaker is not open.
    pub(crate) open_for: Span,
    pub(crate) token_available: bool,
    pub(crate) draw: u64,
}

/// A [`Delay`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) limit: Span,
    pub(crate) drawn: Span,
    pub(crate) source: DelaySource,
}

impl<'p> Case<'p> {
    pub(super) fn of(situation: &Situation<'p>) -> Self {
        Self {
            policy: situation.policy,
            attempt: situation.attempt,
            owner: situation.owner,
            retries_left: situation.retries_left,
            class: situation.class,
            unanswered: situation.unanswered,
            time_left: Span::of_duration(situation.time_left),
            previous_delay: Span::of(situation.previous_delay),
            open_for: situation.open_for.map_or(Span::ZERO, Span::of_duration),
            token_available: situation.token_available,
            draw: situation.draw,
        }
    }

    pub(crate) fn situation(&self) -> Situation<'p> {
        Situation {
            policy: self.policy,
            attempt: self.attempt,
            owner: self.owner,
            retries_left: self.retries_left,
            class: self.class,
            unanswered: self.unanswered,
            time_left: self.time_left.to_duration(),
            previous_delay: self.previous_delay.duration(),
            open_for: (self.open_for > Span::ZERO).then(|| self.open_for.to_duration()),
            token_available: self.token_available,
            draw: self.draw,
        }
    }
}

impl Wait {
    fn delay(self) -> Delay {
        let Self { limit, drawn, source } = self;
        // A wait of 584 years is that, and not for ever.
        let [limit, drawn] = [limit, drawn].map(|span| Duration::from_nanos(span.nanos()));
        Delay { limit, drawn, source }
    }
}

impl From<Result<Wait, Reason>> for Decision {
    fn from(decided: Result<Wait, Reason>) -> Self {
        match decided {
            Ok(wait) => Self::Retry(wait.delay()),
            Err(reason) => Self::Stop(reason),
        }
    }
}
