//! Whether an attempt may start, and until when it may run.

use super::Progress;
use super::phase::{Asked, First, Phase};
use crate::call::Limits;
use crate::call::failed::Limit;
use crate::classify::Class;
use crate::decide::admit_in;
use crate::downstream::{NotNow, Permit, Refusal, Verdict};
use crate::environment::Environment;
use crate::error::Reason;
use crate::observe::Event;
use crate::policy::AdaptiveTimeout;
use crate::time::{Now, Span, Time};
use std::time::Duration;
use tokio::time::Instant;

/// What comes before an attempt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Before {
    Nothing,
    /// Others may run.
    Yield,
    Pause(Instant),
}

/// Whether the body may run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// It may, until [`Progress::ends_at`].
    Now,
    /// A limit makes it wait for room.
    Wait,
    Refused(Reason),
}

impl<'d> Progress<'d> {
    /// The next attempt starts then; without an instant, as soon as others have run.
    pub(in crate::call) fn pause_until(&mut self, until: Option<Time>) {
        self.phase = if until.is_some() { Phase::Pause } else { Phase::Yield };
        self.standing.cut_at(until.unwrap_or(Time::NEVER));
    }

    /// Whether an attempt or a question runs.
    #[inline]
    pub(in crate::call) fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Attempt | Phase::Question)
    }

    /// What comes before the attempt that is to start; a yield comes once.
    #[inline]
    pub(in crate::call) fn before_attempt(&mut self) -> Before {
        match self.phase {
            Phase::Pause => self.ends_at().map_or(Before::Nothing, Before::Pause),
            Phase::Yield => {
                self.phase = Phase::Over;
                Before::Yield
            }
            _ => Before::Nothing,
        }
    }

    #[inline]
    pub(crate) fn start_attempt(&mut self, environment: &impl Environment) -> Start {
        self.phase = Phase::BeforeAttempt;
        if self.attempts() == 0 {
            return self.start_first(environment);
        }
        let now = Now::of(environment.now());
        self.tell_of_wait(now);
        self.enter(now, environment)
    }

    /// Nothing but a question can have come before it.
    #[inline(never)]
    fn start_first(&mut self, environment: &impl Environment) -> Start {
        self.tell_of_beginning();
        // The question follows, and then either the attempt or the end.
        if self.first == First::Question {
            Start::Refused(Reason::UnknownOutcome)
        } else {
            self.enter_first(environment)
        }
    }

    /// The question whether an attempt was applied goes the way of an attempt, and is none.
    pub(crate) fn start_question(&mut self, environment: &impl Environment) -> Start {
        self.phase = Phase::BeforeQuestion;
        let start = self.enter_first(environment);
        if self.first == First::Question {
            self.first = First::Answered;
        }
        start
    }

    /// The same where it may be the first that the call does.
    fn enter_first(&mut self, environment: &impl Environment) -> Start {
        let begins = self.attempts() == 0 && self.first != First::Answered;
        let now = if begins { Now::at(self.began) } else { Now::of(environment.now()) };
        match self.refused {
            Some(reason) => self.refuse(now, reason, Duration::ZERO),
            None => self.enter(now, environment),
        }
    }

    #[inline]
    fn enter(&mut self, now: Now, environment: &impl Environment) -> Start {
        if let Err(reason) = admit_in(self.standing.deadline().left(now.time)) {
            return self.refuse(now, reason, Duration::ZERO);
        }
        if !self.permit.ask_quietly() {
            let (permit, witness) = self.permit_and_witness();
            match permit.ask(now, environment, witness) {
                Ok(()) => {}
                Err(NotNow::Wait) => {
                    self.tell(now, &Event::Queued);
                    return Start::Wait;
                }
                Err(NotNow::Refused(refusal)) => return self.keep_out(now, refusal),
            }
        }
        self.start(now, environment)
    }

    /// The attempt has waited for room, and has it, or not.
    pub(crate) fn start_in(
        &mut self,
        room: Result<Permit<'d>, Refusal>,
        environment: &impl Environment,
    ) -> Start {
        let now = Now::of(environment.now());
        match room {
            Ok(room) => self.permit.take_room(room),
            Err(refusal) => return self.keep_out(now, refusal),
        }
        let (permit, witness) = self.permit_and_witness();
        if let Err(refusal) = permit.pass(now, environment, witness) {
            return self.keep_out(now, refusal);
        }
        match admit_in(self.standing.deadline().left(now.time)) {
            Ok(()) => self.start(now, environment),
            Err(reason) => {
                self.report(Verdict::Neutral, move || now, environment);
                self.refuse(now, reason, Duration::ZERO)
            }
        }
    }

    /// Waits for room at the downstream.
    pub(crate) fn room(
        &self,
    ) -> impl Future<Output = Result<Permit<'d>, Refusal>> + Send + use<'d> {
        Permit::wait(self.permit.downstream(), self.standing.deadline().instant())
    }

    /// The downstream does not let the attempt start.
    #[cold]
    fn keep_out(&mut self, now: Now, refusal: Refusal) -> Start {
        let Refusal { reason, come_back_in } = refusal;
        if self.phase == Phase::BeforeAttempt {
            self.phase = Phase::KeptOut;
            self.said = Class::PERMANENT.not_sent().said();
            self.delay = Span::of_duration(come_back_in);
        }
        self.refuse(now, reason, come_back_in)
    }

    #[cold]
    fn refuse(&self, now: Now, reason: Reason, come_back_in: Duration) -> Start {
        self.tell(now, &Event::Refused { reason, come_back_in });
        Start::Refused(reason)
    }

    #[inline]
    fn start(&mut self, now: Now, environment: &impl Environment) -> Start {
        let asked = self.phase.asked();
        let (timeout, limit) = self.attempt_timeout(now);
        if asked == Asked::Attempt {
            if self.attempts() > 0 && !self.standing.spend_retry() {
                self.report(Verdict::Neutral, move || now, environment);
                return self.refuse(now, Reason::AttemptLimit, Duration::ZERO);
            }
            self.permit.spend();
            self.standing.count_attempt();
        }
        self.run(asked, now.time, timeout, limit);
        self.tell_of_start(now, asked);
        Start::Now
    }

    /// It runs from now on, for so long at most.
    #[inline]
    pub(super) fn run(&mut self, asked: Asked, now: Time, timeout: Span, limit: Limit) {
        let cut = now.plus(timeout);
        self.standing.cut_at(cut);
        let is_cut_short = self.standing.deadline() < cut && !self.has_only_its_deadline();
        self.limit = if is_cut_short { Limit::Call } else { limit };
        self.since = now;
        self.phase = Phase::during(asked);
    }

    /// Whether the attempt has all the time that its policy gives to a call, and no timeout of its own.
    #[inline]
    fn has_only_its_deadline(&self) -> bool {
        let Limits { attempt, call, .. } = self.call.limits;
        self.attempts() == 1
            && attempt == Span::ENDLESS
            && self.standing.deadline() == self.began.plus(call)
    }

    /// The fixed timeout, or what the downstream's latency makes of it.
    #[inline]
    fn attempt_timeout(&mut self, now: Now) -> (Span, Limit) {
        let fixed = self.call.limits.attempt;
        match self.policy().adaptive() {
            None => (fixed, Limit::Policy),
            Some(adaptive) => self.adapted_timeout(adaptive, now),
        }
    }

    #[inline(never)]
    fn adapted_timeout(&mut self, adaptive: &AdaptiveTimeout, now: Now) -> (Span, Limit) {
        let fixed = self.call.limits.attempt;
        let adapted = self.permit.downstream().adapted_timeout(adaptive, now.time);
        let adapted = adapted.filter(|adapted| Span::of_duration(*adapted) < fixed);
        self.tell_of_adapted(now, adapted);
        match adapted {
            Some(_) => (Span::of(adapted), Limit::Adapted),
            None => (fixed, Limit::Policy),
        }
    }
}
