//! The state of one call that does not depend on its types: clock, attempts, deadline, token.

mod enter;
mod told;

pub(crate) use enter::Start;

use super::failed::{Failed, Limit};
use super::{Call, Pause};
use crate::classify::{Class, Delivery};
use crate::deadline::Deadline;
use crate::decide::{self, Decision, Situation, decide};
use crate::downstream::{Downstream, Outcome as Settled, Paid, Permit, Token, Verdict};
use crate::environment::Environment;
use crate::error::{Outcome, Reason, Stopped};
use crate::key::{IdempotencyKey, InvalidKey};
use crate::observe::{Answer, AttemptEnd, CallEnd, Spans};
use crate::policy::{Effect, Policy};
use crate::scope::Scope;
use enter::Phase;
use std::time::Duration;
use tokio::time::Instant;
use told::{Last, Observed};

#[derive(Debug)]
pub(crate) struct Progress<'d> {
    call: &'d Call,
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
    /// When that attempt, the question or the pause began.
    since: Instant,
    /// What limits it.
    limit: Limit,
    phase: Phase,
    /// Whether the call has taken more than a moment; while it has not, nobody reads the clock.
    time_passed: bool,
    /// What the last failure says.
    class: Class,
    /// What is known of the effect of the attempts so far.
    outcome: Outcome,
    /// There while somebody is told what the call does, up to its end.
    observed: Option<Box<Observed>>,
    scope: Scope,
}

impl<'d> Progress<'d> {
    pub(crate) fn begin(call: &'d Call, environment: &impl Environment) -> Self {
        let policy = call.policy();
        let began = environment.now();
        let mut scope = Scope::inherit();
        scope.limit_by(Deadline::after(began, policy.longest_call()));
        let owner = !scope.has_owner() || policy.owns();
        let refused = Self::refused_at_once(call.rules.effect, &scope);
        if policy.attempts() > 1 {
            scope.own(policy.attempts());
        }
        Self {
            call,
            began,
            attempts: 0,
            owner,
            refused,
            previous_delay: None,
            token: None,
            paid: Paid::default(),
            permit: Permit::none(&call.own),
            since: began,
            limit: Limit::Call,
            phase: Phase::Over,
            time_passed: false,
            class: Class::PERMANENT.not_sent(),
            outcome: Outcome::NotApplied,
            observed: None,
            scope,
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
        let mut progress: Progress<'n> = self;
        progress.permit = Permit::none(downstream);
        progress
    }

    fn policy(&self) -> &'d Policy {
        self.call.policy()
    }

    pub(super) fn end_by(&mut self, deadline: Instant) {
        self.scope.limit_by(Deadline::at(deadline));
    }

    pub(super) fn carry(&mut self, key: Result<IdempotencyKey, InvalidKey>) {
        match key {
            Ok(key) => self.scope.set_key(key),
            Err(_) => self.refused = Some(Reason::InvalidKey),
        }
    }

    pub(super) fn key(&self) -> Option<IdempotencyKey> {
        self.scope.key().cloned()
    }

    /// The instant at which the call ends.
    fn deadline(&self) -> Deadline {
        self.scope.end()
    }

    #[cfg(feature = "storm")]
    pub(crate) fn scope(&mut self) -> &mut Scope {
        &mut self.scope
    }

    /// What the body is polled in.
    pub(super) fn scope_and_spans(&mut self) -> (&mut Scope, &Spans) {
        let spans = self.observed.as_deref().map_or(&Spans::NONE, |observed| &observed.spans);
        (&mut self.scope, spans)
    }

    /// The body had to wait, so that time has passed since the attempt began.
    pub(super) fn note_wait(&mut self) {
        self.time_passed = true;
    }

    pub(super) fn panicked(&mut self) {
        self.permit.panicked();
    }

    pub(crate) fn succeed(&mut self, environment: &impl Environment) {
        if self.policy().adaptive().is_some() {
            let now = environment.now();
            let latency = now.saturating_duration_since(self.since);
            self.permit.downstream().note_success(latency, now);
        }
        self.tell_of_attempt(AttemptEnd::Succeeded, environment);
        self.report(Verdict::Success, environment);
        self.was_applied(environment);
    }

    /// The attempt failed.
    pub(crate) fn fail(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        self.end(failed, last, environment);
        self.decide(failed, last, environment)
    }

    /// Tells the downstream how the attempt ended.
    pub(super) fn end(&mut self, failed: Failed, last: Last<'_>, environment: &impl Environment) {
        let Failed { class, timed_out, .. } = failed;
        let end = if timed_out {
            AttemptEnd::TimedOut { class, limit: self.limit }
        } else {
            AttemptEnd::Failed { class, error: last }
        };
        self.tell_of_attempt(end, environment);
        if timed_out && self.limit == Limit::Adapted {
            self.permit.downstream().note_cut(environment.now());
        }
        self.report(failed.verdict(self.limit), environment);
    }

    /// The question was answered, or not: only an answer says something about the downstream.
    pub(super) fn end_question(&mut self, answer: Option<Answer>, environment: &impl Environment) {
        self.tell_of_answer(answer, environment);
        let verdict = if answer.is_some() { Verdict::Success } else { Verdict::Neutral };
        self.report(verdict, environment);
    }

    /// The attempt succeeded, or it failed and was applied all the same.
    pub(super) fn was_applied(&mut self, environment: &impl Environment) {
        self.settle(Settled::Success, environment);
        if self.observed.is_some() {
            self.tell_end(environment.now(), CallEnd::Succeeded);
        }
    }

    fn report(&mut self, verdict: Verdict, environment: &impl Environment) {
        let (permit, witness) = self.permit_and_witness();
        permit.report(verdict, environment, witness);
    }

    /// Decides, and reserves the token that a retry costs.
    pub(super) fn decide(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        let Failed { class, timed_out, unanswered } = failed;
        let outcome = if class.is_retryable() { Settled::Failure } else { Settled::Answer };
        self.settle(outcome, environment);
        self.class = class;
        if class.delivery() == Delivery::Unknown {
            self.outcome = Outcome::Unknown;
        }
        let now = environment.now();
        let mut situation = Situation {
            policy: self.policy(),
            attempt: self.attempts,
            owner: self.owner,
            retries_left: self.scope.retries_left(),
            class,
            unanswered,
            time_left: self.deadline().time_left(now),
            previous_delay: self.previous_delay,
            open_for: self.permit.downstream().open_for(now),
            token_available: self.permit.downstream().affords_retry(class, timed_out, now),
            draw: environment.draw(),
        };
        loop {
            let decision = decide(&situation);
            let delay = match decision {
                Decision::Retry(delay) => delay,
                Decision::Stop(reason) => {
                    self.tell_of_decision(now, &situation, decision, failed, last);
                    return Err(self.stop_at(now, reason, last));
                }
            };
            match self.permit.downstream().take_retry(class, timed_out) {
                Some(token) => {
                    self.token = Some(token);
                    self.tell_of_decision(now, &situation, decision, failed, last);
                    return Ok(self.pause(now, delay));
                }
                // Another call was faster; the same question with what is known now.
                None => situation.token_available = false,
            }
        }
    }

    pub(crate) fn stop(
        &mut self,
        reason: Reason,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Stopped {
        self.stop_at(environment.now(), reason, last)
    }

    /// Each call deposits once, when its first attempt has ended: an attempt that was dropped says
    /// nothing, and calls inside the retry of another are part of that retry.
    fn settle(&self, outcome: Settled, environment: &impl Environment) {
        let first = self.attempts == 1 && !self.scope.is_repeated();
        let now = || if self.time_passed { environment.now() } else { self.began };
        self.permit.downstream().settle(first, outcome, self.paid, now);
    }

    fn pause(&mut self, now: Instant, delay: decide::Delay) -> Pause {
        self.time_passed = true;
        self.since = now;
        if delay.source == decide::DelaySource::Backoff {
            self.previous_delay = Some(delay.drawn);
        }
        // The decision saw that the wait ends before the deadline, so the sum fits where there is one.
        let until = now.checked_add(delay.drawn).filter(|until| *until > now);
        Pause { until }
    }

    fn stop_at(&mut self, now: Instant, reason: Reason, last: Last<'_>) -> Stopped {
        let outcome = self.outcome;
        let repeatable = self.call.rules.effect != Effect::Once || outcome == Outcome::NotApplied;
        self.tell_end(now, CallEnd::GaveUp { reason, outcome, last });
        Stopped {
            reason,
            outcome,
            attempts: self.attempts,
            elapsed: now.saturating_duration_since(self.began),
            class: if repeatable { self.class } else { self.class.permanent() },
        }
    }
}
