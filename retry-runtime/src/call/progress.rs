//! The state of one call that does not depend on its types: clock, attempts, deadline, token.

mod effect;

use super::failed::{Failed, Limit};
use super::{Call, Pause};
use crate::classify::{Class, Delivery};
use crate::deadline::Deadline;
use crate::decide::{self, Decision, Situation, admit, decide};
use crate::downstream::{
    Downstream, NotNow, Outcome as Settled, Paid, Permit, Refusal, Token, Verdict,
};
use crate::environment::Environment;
use crate::error::{Outcome, Reason, Stopped};
use crate::key::{IdempotencyKey, InvalidKey};
use crate::policy::{Effect, Policy, Rules};
use crate::scope::Scope;
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug)]
pub(crate) struct Progress<'d> {
    policy: &'d Policy,
    effect: Effect,
    began: Instant,
    /// Attempts started so far.
    attempts: u32,
    owner: bool,
    /// Why no attempt may start at all.
    refused: Option<Reason>,
    previous_delay: Option<Duration>,
    /// The next retry, paid for and not yet started.
    token: Option<Token<'d>>,
    /// What the attempt that runs cost.
    paid: Paid,
    /// What the attempt that runs holds of the downstream.
    permit: Permit<'d>,
    /// When that attempt began, under an adaptive timeout.
    attempt_began: Instant,
    /// What limits it.
    limit: Limit,
    /// What runs or ran last.
    phase: Phase,
    /// Whether the call has taken more than a moment; while it has not, nobody reads the clock.
    time_passed: bool,
    /// What the last failure says.
    class: Class,
    /// Some attempt may have been applied.
    unknown: bool,
    /// Away while the body is polled; see [`crate::scope::swap`].
    scope: Option<Scope>,
}

/// What the downstream is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Attempt,
    /// Whether an attempt was applied.
    Question,
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
    pub(crate) fn begin(call: &'d Call, environment: &impl Environment) -> Self {
        let Rules { policy, effect, .. } = &call.rules;
        let began = environment.now();
        let mut scope = Scope::inherit();
        scope.limit_by(Deadline::after(began, policy.longest_call()));
        let owner = !scope.has_owner() || policy.owns();
        let refused = Self::refused_at_once(*effect, &scope);
        if policy.attempts() > 1 {
            scope.own(policy.attempts());
        }
        Self {
            policy,
            effect: *effect,
            began,
            attempts: 0,
            owner,
            refused,
            previous_delay: None,
            token: None,
            paid: Paid::default(),
            permit: Permit::none(&call.own),
            attempt_began: began,
            limit: Limit::Call,
            phase: Phase::Attempt,
            time_passed: false,
            class: Class::PERMANENT.not_sent(),
            unknown: false,
            scope: Some(scope),
        }
    }
}

impl<'d> Progress<'d> {
    /// Why a call in such a scope makes no attempt, if it must not.
    fn refused_at_once(effect: Effect, scope: &Scope) -> Option<Reason> {
        if effect == Effect::Once && scope.is_repeated() {
            return Some(Reason::NotOwner);
        }
        (!scope.has_attempts_left()).then_some(Reason::AttemptLimit)
    }

    pub(crate) fn on<'n>(self, downstream: &'n Downstream) -> Progress<'n>
    where
        'd: 'n,
    {
        Progress { permit: Permit::none(downstream), ..self }
    }

    pub(super) fn end_by(&mut self, deadline: Instant) {
        if let Some(scope) = &mut self.scope {
            scope.limit_by(Deadline::at(deadline));
        }
    }

    pub(super) fn carry(&mut self, key: Result<IdempotencyKey, InvalidKey>) {
        match (key, &mut self.scope) {
            (Ok(key), Some(scope)) => scope.set_key(key),
            (Err(_), _) => self.refused = Some(Reason::InvalidKey),
            (Ok(_), None) => {}
        }
    }

    pub(super) fn key(&self) -> Option<IdempotencyKey> {
        self.scope.as_ref().and_then(|scope| scope.key().cloned())
    }

    /// The instant at which the call ends; asked only while the body is not polled.
    fn deadline(&self) -> Deadline {
        self.scope.as_ref().map_or(Deadline::NEVER, Scope::end)
    }

    pub(crate) fn scope(&mut self) -> &mut Option<Scope> {
        &mut self.scope
    }

    pub(crate) fn start_attempt(&mut self, environment: &impl Environment) -> Start {
        self.phase = Phase::Attempt;
        self.enter(environment)
    }

    /// The question whether an attempt was applied goes the way of an attempt, and is none.
    pub(super) fn start_question(&mut self, environment: &impl Environment) -> Start {
        self.phase = Phase::Question;
        self.refused = None;
        self.enter(environment)
    }

    fn enter(&mut self, environment: &impl Environment) -> Start {
        if let Some(reason) = self.refused {
            return Start::Refused(reason);
        }
        let begins = self.attempts == 0 && !self.time_passed;
        let now = if begins { self.began } else { environment.now() };
        if let Err(reason) = admit(self.deadline().time_left(now)) {
            return Start::Refused(reason);
        }
        match self.permit.ask(now, environment) {
            Ok(()) => self.start(now, environment),
            Err(NotNow::Wait) => Start::Wait,
            Err(NotNow::Refused(refusal)) => self.refuse(refusal),
        }
    }

    /// The attempt has waited for room, and has it, or not.
    pub(super) fn start_in(
        &mut self,
        room: Result<Permit<'d>, Refusal>,
        environment: &impl Environment,
    ) -> Start {
        let now = environment.now();
        self.permit = match room {
            Ok(permit) => permit,
            Err(refusal) => return self.refuse(refusal),
        };
        if let Err(refusal) = self.permit.pass(now, environment) {
            return self.refuse(refusal);
        }
        match admit(self.deadline().time_left(now)) {
            Ok(()) => self.start(now, environment),
            Err(reason) => {
                self.report(Verdict::Neutral, environment);
                Start::Refused(reason)
            }
        }
    }

    /// Waits for room at the downstream.
    pub(super) fn room(
        &self,
    ) -> impl Future<Output = Result<Permit<'d>, Refusal>> + Send + use<'d> {
        Permit::wait(self.permit.downstream(), self.deadline())
    }

    fn refuse(&mut self, refusal: Refusal) -> Start {
        if self.phase == Phase::Attempt {
            self.class = Class::PERMANENT.not_sent().retry_after(refusal.come_back_in);
        }
        Start::Refused(refusal.reason)
    }

    fn start(&mut self, now: Instant, environment: &impl Environment) -> Start {
        if self.phase == Phase::Attempt {
            if self.attempts > 0 && !self.scope.as_mut().is_none_or(Scope::spend_retry) {
                self.report(Verdict::Neutral, environment);
                return Start::Refused(Reason::AttemptLimit);
            }
            self.paid = self.token.take().map(Token::spend).unwrap_or_default();
            self.attempts += 1;
        }
        let timeout = Deadline::after(now, self.attempt_timeout(now));
        if let Some(scope) = &mut self.scope {
            scope.set_attempt(self.attempts, timeout);
        }
        let limit = self.deadline().earliest(timeout);
        if limit != timeout && !self.has_only_its_deadline(limit) {
            self.limit = Limit::Call;
        }
        Start::Until(limit.instant())
    }

    /// Whether the attempt has all the time that its policy gives to a call, and no timeout of its own.
    fn has_only_its_deadline(&self, limit: Deadline) -> bool {
        self.attempts == 1
            && self.policy.longest_attempt().is_none()
            && limit == Deadline::after(self.began, self.policy.longest_call())
    }

    /// The fixed timeout, or what the downstream's latency makes of it.
    fn attempt_timeout(&mut self, now: Instant) -> Option<Duration> {
        let fixed = self.policy.longest_attempt();
        self.limit = Limit::Policy;
        let Some(adaptive) = self.policy.adaptive() else { return fixed };
        self.attempt_began = now;
        let adapted = self.permit.downstream().adapted_timeout(adaptive, now);
        let adapted = adapted.filter(|adapted| fixed.is_none_or(|fixed| *adapted < fixed));
        if adapted.is_some() {
            self.limit = Limit::Adapted;
        }
        adapted.or(fixed)
    }

    /// The body had to wait, so that time has passed since the attempt began.
    pub(super) fn note_wait(&mut self) {
        self.time_passed = true;
    }

    pub(super) fn panicked(&mut self) {
        self.permit.panicked();
    }

    pub(crate) fn succeed(&mut self, environment: &impl Environment) {
        if self.policy.adaptive().is_some() {
            let now = environment.now();
            let latency = now.saturating_duration_since(self.attempt_began);
            self.permit.downstream().note_success(latency, now);
        }
        self.report(Verdict::Success, environment);
        self.was_applied(environment);
    }

    /// The attempt failed.
    pub(crate) fn fail(
        &mut self,
        failed: Failed,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        self.end(failed, environment);
        self.decide(failed, environment)
    }

    /// Tells the downstream how the attempt ended.
    pub(super) fn end(&mut self, failed: Failed, environment: &impl Environment) {
        if failed.timed_out && self.limit == Limit::Adapted {
            self.permit.downstream().note_cut(environment.now());
        }
        self.report(failed.verdict(self.limit), environment);
    }

    /// The question was answered, or not: only an answer says something about the downstream.
    pub(super) fn end_question(&mut self, answered: bool, environment: &impl Environment) {
        self.report(if answered { Verdict::Success } else { Verdict::Neutral }, environment);
    }

    /// The attempt succeeded, or it failed and was applied all the same.
    pub(super) fn was_applied(&mut self, environment: &impl Environment) {
        self.settle(Settled::Success, environment);
        self.tell_enclosing_call();
    }

    fn report(&mut self, verdict: Verdict, environment: &impl Environment) {
        self.permit.report(verdict, environment);
    }

    /// Decides, and reserves the token that a retry costs.
    pub(super) fn decide(
        &mut self,
        failed: Failed,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        self.note(failed, environment);
        let Failed { class, timed_out, unanswered } = failed;
        let now = environment.now();
        let mut situation = Situation {
            policy: self.policy,
            attempt: self.attempts,
            owner: self.owner,
            retries_left: self.scope.as_mut().map_or(u32::MAX, Scope::retries_left),
            class,
            unanswered,
            time_left: self.deadline().time_left(now),
            previous_delay: self.previous_delay,
            open_for: self.permit.downstream().open_for(now),
            token_available: self.permit.downstream().affords_retry(class, timed_out, now),
            draw: environment.draw(),
        };
        loop {
            let delay = match decide(&situation) {
                Decision::Retry(delay) => delay,
                Decision::Stop(reason) => return Err(self.stop_at(now, reason)),
            };
            match self.permit.downstream().take_retry(class, timed_out) {
                Some(token) => {
                    self.token = Some(token);
                    return Ok(self.pause(now, delay));
                }
                // Another call was faster; the same question with what is known now.
                None => situation.token_available = false,
            }
        }
    }

    /// The failure counts, whatever is decided about it.
    fn note(&mut self, failed: Failed, environment: &impl Environment) {
        let Failed { class, .. } = failed;
        let outcome = if class.is_retryable() { Settled::Failure } else { Settled::Answer };
        self.settle(outcome, environment);
        self.class = class;
        self.unknown |= class.delivery() == Delivery::Unknown;
    }

    pub(crate) fn stop(&self, reason: Reason, environment: &impl Environment) -> Stopped {
        self.stop_at(environment.now(), reason)
    }

    /// Each call deposits once, when its first attempt has ended: an attempt that was dropped says
    /// nothing, and calls inside the retry of another are part of that retry.
    fn settle(&self, outcome: Settled, environment: &impl Environment) {
        let repeated = self.scope.as_ref().is_some_and(Scope::is_repeated);
        let first = self.attempts == 1 && !repeated;
        let now = || if self.time_passed { environment.now() } else { self.began };
        self.permit.downstream().settle(first, outcome, self.paid, now);
    }

    fn pause(&mut self, now: Instant, delay: decide::Delay) -> Pause {
        self.time_passed = true;
        if delay.source == decide::DelaySource::Backoff {
            self.previous_delay = Some(delay.drawn);
        }
        // The decision saw that the wait ends before the deadline, so the sum fits where there is one.
        let until = now.checked_add(delay.drawn).filter(|until| *until > now);
        Pause { until }
    }

    fn stop_at(&self, now: Instant, reason: Reason) -> Stopped {
        let mut class = self.class;
        let mut outcome = Outcome::NotApplied;
        if self.unknown {
            outcome = Outcome::Unknown;
            // An earlier attempt counts beside one that was not even sent.
            class = class.unknown();
            self.tell_enclosing_call();
        }
        let repeatable = self.effect != Effect::Once || outcome == Outcome::NotApplied;
        Stopped {
            reason,
            outcome,
            attempts: self.attempts,
            elapsed: now.saturating_duration_since(self.began),
            class: if repeatable { class } else { class.permanent() },
        }
    }
}
