//! Whether an attempt may start, and until when.

use super::Progress;
use crate::call::failed::Limit;
use crate::classify::Class;
use crate::deadline::Deadline;
use crate::decide::admit;
use crate::downstream::{NotNow, Permit, Refusal, Token, Verdict};
use crate::environment::Environment;
use crate::error::Reason;
use crate::observe::Event;
use std::time::Duration;
use tokio::time::Instant;

/// What the downstream is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Attempt,
    /// Whether an attempt was applied.
    Question,
}

/// Where the call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It wants to start, and may have to wait for room.
    Before(Asked),
    /// It runs.
    During(Asked),
    /// Nothing runs, and what follows is not begun.
    Over,
}

impl Phase {
    fn asked(self) -> Asked {
        match self {
            Self::Before(asked) | Self::During(asked) => asked,
            Self::Over => Asked::Attempt,
        }
    }
}

/// Whether the body may run, and until when.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    Until(Option<Instant>),
    /// A limit makes it wait for room.
    Wait,
    Refused(Reason),
}

impl<'d> Progress<'d> {
    pub(crate) fn start_attempt(&mut self, environment: &impl Environment) -> Start {
        self.phase = Phase::Before(Asked::Attempt);
        self.tell_of_beginning(environment);
        self.enter(environment)
    }

    /// The question whether an attempt was applied goes the way of an attempt, and is none.
    pub(crate) fn start_question(&mut self, environment: &impl Environment) -> Start {
        self.phase = Phase::Before(Asked::Question);
        self.enter(environment)
    }

    fn enter(&mut self, environment: &impl Environment) -> Start {
        let now = if self.attempts == 0 { self.began } else { environment.now() };
        if let Some(reason) = self.refused {
            return self.refuse(now, reason, Duration::ZERO);
        }
        if let Err(reason) = admit(self.deadline().time_left(now)) {
            return self.refuse(now, reason, Duration::ZERO);
        }
        let (permit, witness) = self.permit_and_witness();
        match permit.ask(now, environment, witness) {
            Ok(()) => self.start(now, environment),
            Err(NotNow::Wait) => {
                self.tell(now, &Event::Queued);
                Start::Wait
            }
            Err(NotNow::Refused(refusal)) => self.keep_out(now, refusal),
        }
    }

    /// The attempt has waited for room, and has it, or not.
    pub(crate) fn start_in(
        &mut self,
        room: Result<Permit<'d>, Refusal>,
        environment: &impl Environment,
    ) -> Start {
        let now = environment.now();
        self.permit = match room {
            Ok(permit) => permit,
            Err(refusal) => return self.keep_out(now, refusal),
        };
        let (permit, witness) = self.permit_and_witness();
        if let Err(refusal) = permit.pass(now, environment, witness) {
            return self.keep_out(now, refusal);
        }
        match admit(self.deadline().time_left(now)) {
            Ok(()) => self.start(now, environment),
            Err(reason) => {
                self.report(Verdict::Neutral, environment);
                self.refuse(now, reason, Duration::ZERO)
            }
        }
    }

    /// Waits for room at the downstream.
    pub(crate) fn room(
        &self,
    ) -> impl Future<Output = Result<Permit<'d>, Refusal>> + Send + use<'d> {
        Permit::wait(self.permit.downstream(), self.deadline())
    }

    /// The downstream does not let the attempt start.
    fn keep_out(&mut self, now: Instant, refusal: Refusal) -> Start {
        let Refusal { reason, come_back_in } = refusal;
        if self.phase == Phase::Before(Asked::Attempt) {
            self.class = Class::PERMANENT.not_sent().retry_after(come_back_in);
        }
        self.refuse(now, reason, come_back_in)
    }

    fn refuse(&self, now: Instant, reason: Reason, come_back_in: Duration) -> Start {
        self.tell(now, &Event::Refused { reason, come_back_in });
        Start::Refused(reason)
    }

    fn start(&mut self, now: Instant, environment: &impl Environment) -> Start {
        let asked = self.phase.asked();
        let timeout = Deadline::after(now, self.attempt_timeout(now));
        if asked == Asked::Attempt {
            if self.attempts > 0 && !self.scope.spend_retry() {
                self.report(Verdict::Neutral, environment);
                return self.refuse(now, Reason::AttemptLimit, Duration::ZERO);
            }
            self.paid = self.token.take().map(Token::spend).unwrap_or_default();
            self.attempts += 1;
        }
        self.scope.set_attempt(self.attempts, timeout);
        let limit = self.deadline().earliest(timeout);
        if limit != timeout && !self.has_only_its_deadline(limit) {
            self.limit = Limit::Call;
        }
        self.since = now;
        self.phase = Phase::During(asked);
        self.tell_of_start(now, asked, limit);
        Start::Until(limit.instant())
    }

    /// Whether the attempt has all the time that its policy gives to a call, and no timeout of its own.
    fn has_only_its_deadline(&self, limit: Deadline) -> bool {
        self.attempts == 1
            && self.policy().longest_attempt().is_none()
            && limit == Deadline::after(self.began, self.policy().longest_call())
    }

    /// The fixed timeout, or what the downstream's latency makes of it.
    fn attempt_timeout(&mut self, now: Instant) -> Option<Duration> {
        let fixed = self.policy().longest_attempt();
        self.limit = Limit::Policy;
        let Some(adaptive) = self.policy().adaptive() else { return fixed };
        let adapted = self.permit.downstream().adapted_timeout(adaptive, now);
        let adapted = adapted.filter(|adapted| fixed.is_none_or(|fixed| *adapted < fixed));
        self.tell_of_adapted(now, adapted);
        if adapted.is_some() {
            self.limit = Limit::Adapted;
        }
        adapted.or(fixed)
    }
}
