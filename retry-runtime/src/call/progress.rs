//! The state of one call that does not depend on its types: clock, attempts, deadline, token.

mod effect;
mod enter;
mod told;

pub(crate) use enter::Start;

use super::failed::{Failed, Limit};
use super::{Call, Limits, Pause};
use crate::classify::{Class, Delivery};
use crate::decide::{self, Decision, Situation, decide};
use crate::downstream::{Admitted, Cause, Downstream, Outcome as Settled, Permit, Verdict};
use crate::environment::Environment;
use crate::error::{Outcome, Reason, Stopped};
use crate::key::IdempotencyKey;
use crate::observe::{Answer, AttemptEnd, CallEnd, Spans};
use crate::offset::Offset;
use crate::policy::{Effect, Policy};
use crate::scope::{Standing, is_any_in_force, within};
use enter::{Asked, Phase};
use tokio::time::Instant;
use told::{Last, Observed};

#[derive(Debug)]
pub(crate) struct Progress<'d> {
    call: &'d Call,
    /// What the call holds of the downstream.
    permit: Permit<'d>,
    /// With the beginning of the call, its deadline, and the number of its last attempt.
    standing: Standing,
    /// Of the call itself.
    key: Option<&'d IdempotencyKey>,
    /// What the last failure left; nothing before the first.
    past: Option<Past>,
    /// When the attempt, the question or the pause began that runs.
    since: Offset,
    owner: bool,
    /// Why no attempt may start at all.
    refused: Option<Reason>,
    /// An earlier attempt of an enclosing call may have applied the write.
    asks_first: bool,
    /// What limits the attempt that runs.
    limit: Limit,
    phase: Phase,
    /// Whether the call has taken more than a moment; while it has not, nobody reads the clock.
    time_passed: bool,
    /// What is known of the effect of the attempts so far, those of killed workers included.
    outcome: Outcome,
    /// There while somebody is told what the call does, up to its end.
    observed: Option<Box<Observed>>,
}

/// What a failure leaves behind.
#[derive(Clone, Copy, Debug)]
struct Past {
    /// What it says.
    class: Class,
    /// Of the policy's backoff; never before the first.
    previous_delay: Offset,
}

impl Past {
    /// Nothing was sent.
    const NONE: Self = Self { class: Class::PERMANENT.not_sent(), previous_delay: Offset::NEVER };
}

/// The time, as the clock has it and counted from the beginning of the call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    instant: Instant,
    offset: Offset,
}

impl<'d> Progress<'d> {
    pub(crate) fn begin(call: &'d Call, downstream: &'d Downstream, began: Instant) -> Self {
        let standing = Standing::first(began, &call.limits);
        let mut progress = Self::of(call, Permit::none(downstream), standing);
        if is_any_in_force() {
            progress.begin_inside(began);
        }
        progress
    }

    /// A call in no scope whose first attempt runs, of which nobody was told.
    pub(super) fn in_first_attempt(
        call: &'d Call,
        downstream: &'d Downstream,
        standing: Standing,
        admitted: Admitted,
    ) -> Self {
        let mut progress = Self::of(call, Permit::admitted(downstream, admitted), standing);
        progress.run(Asked::Attempt, Offset::ZERO, call.limits.attempt, Limit::Policy);
        progress
    }

    fn of(call: &'d Call, permit: Permit<'d>, standing: Standing) -> Self {
        Self {
            call,
            permit,
            standing,
            key: None,
            past: None,
            since: Offset::ZERO,
            owner: true,
            refused: None,
            asks_first: false,
            limit: Limit::Call,
            phase: Phase::Over,
            time_passed: false,
            outcome: Outcome::NotApplied,
            observed: None,
        }
    }

    /// The call begins in the scope that is in force.
    fn begin_inside(&mut self, now: Instant) {
        let Limits { call, attempts, .. } = self.call.limits;
        let mut standing = Standing::inside(now, call);
        self.owner = !standing.has_owner() || self.policy().owns();
        self.refused = Self::refused_at_once(self.call.rules.effect, &standing);
        if standing.is_resumed() {
            self.outcome = Outcome::Unknown;
        }
        if let Some(attempts) = attempts {
            standing.own(attempts);
        }
        self.standing = standing;
    }

    pub(super) fn end_by(&mut self, deadline: Instant) {
        self.standing.limit_by(deadline);
    }

    pub(super) fn carry(&mut self, key: &'d IdempotencyKey) {
        self.key = Some(key);
        self.standing.has_key();
        if key.is_absent() {
            self.refused = Some(Reason::InvalidKey);
        }
    }

    /// Why a call that stands there makes no attempt, if it must not.
    fn refused_at_once(effect: Effect, standing: &Standing) -> Option<Reason> {
        if effect == Effect::Once && standing.is_repeated() {
            let unknown = standing.is_resumed();
            return Some(if unknown { Reason::UnknownOutcome } else { Reason::NotOwner });
        }
        (!standing.has_attempts_left()).then_some(Reason::AttemptLimit)
    }

    fn policy(&self) -> &'d Policy {
        self.call.policy()
    }

    /// Attempts started so far.
    pub(crate) fn attempts(&self) -> u32 {
        self.standing.attempt()
    }

    /// Runs something as a part of the attempt.
    #[inline]
    pub(crate) fn within<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let spans = self.observed.as_deref().map_or(&Spans::NONE, |observed| &observed.spans);
        let standing = &mut self.standing;
        spans.within(|| within(standing, self.key, run))
    }

    /// Reads the clock.
    pub(super) fn now(&self, environment: &impl Environment) -> Now {
        let instant = environment.now();
        Now { instant, offset: self.standing.offset(instant) }
    }

    /// When the call began, which is now for a call that has taken no time.
    fn began(&self, environment: &impl Environment) -> Now {
        let instant = self.standing.began().unwrap_or_else(|| environment.now());
        Now { instant, offset: Offset::ZERO }
    }

    /// The body had to wait, so that time has passed since the attempt began.
    pub(super) fn note_wait(&mut self) {
        self.time_passed = true;
    }

    pub(super) fn panicked(&mut self) {
        self.permit.panicked();
    }

    /// When a success was, to the moment.
    fn time_of_success(&self, environment: &impl Environment) -> Instant {
        match self.standing.began() {
            Some(began) if !self.time_passed => began,
            _ => environment.now(),
        }
    }

    pub(crate) fn succeed(&mut self, environment: &impl Environment) {
        if self.policy().adaptive().is_some() {
            let now = self.now(environment);
            let latency = now.offset.left(self.since);
            self.permit.downstream().note_success(latency, now.instant);
        }
        self.tell_of_success(environment);
        self.report(Verdict::Success, || environment.now(), environment);
        self.was_applied(environment);
    }

    /// The attempt failed.
    pub(crate) fn fail(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        let now = self.now(environment);
        self.end(failed, last, now, environment);
        self.decide(failed, last, now, environment)
    }

    /// Tells the downstream how the attempt ended.
    pub(super) fn end(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        now: Now,
        environment: &impl Environment,
    ) {
        let Failed { class, timed_out, .. } = failed;
        let end = if timed_out {
            AttemptEnd::TimedOut { class, limit: self.limit }
        } else {
            AttemptEnd::Failed { class, error: last }
        };
        self.tell_of_attempt(end, now);
        if timed_out && self.limit == Limit::Adapted {
            self.permit.downstream().note_cut(now.instant);
        }
        self.report(failed.verdict(self.limit), || now.instant, environment);
    }

    /// The question was answered, or not: only an answer says something about the downstream.
    pub(super) fn end_question(&mut self, answer: Option<Answer>, environment: &impl Environment) {
        self.tell_of_answer(answer, environment);
        let verdict = if answer.is_some() { Verdict::Success } else { Verdict::Neutral };
        self.report(verdict, || environment.now(), environment);
    }

    /// The attempt succeeded, or it failed and was applied all the same.
    pub(super) fn was_applied(&mut self, environment: &impl Environment) {
        self.settle(Settled::Success, || self.time_of_success(environment));
        self.tell_enclosing_call();
        if self.observed.is_some() {
            self.tell_end(environment.now(), CallEnd::Succeeded);
        }
    }

    #[inline]
    fn report(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Instant,
        environment: &impl Environment,
    ) {
        let (permit, witness) = self.permit_and_witness();
        permit.report(verdict, now, environment, witness);
    }

    /// Decides, and reserves the token that a retry costs.
    pub(super) fn decide(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        now: Now,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        self.note(failed, now);
        let Failed { class, timed_out, unanswered } = failed;
        let previous_delay = self.past.map_or(Offset::NEVER, |past| past.previous_delay);
        let cause = Cause::of(class, timed_out);
        let mut situation = Situation {
            policy: self.policy(),
            attempt: self.attempts(),
            owner: self.owner,
            retries_left: self.standing.retries_left(),
            class,
            unanswered,
            time_left: self.standing.end().left(now.offset),
            previous_delay: previous_delay.duration(),
            open_for: self.permit.downstream().open_for(now.instant),
            token_available: self.permit.downstream().affords_retry(cause, now.instant),
            draw: environment.draw(),
        };
        let error = last.filter(|_| !timed_out);
        loop {
            let decision = decide(&situation);
            let delay = match decision {
                Decision::Retry(delay) => delay,
                Decision::Stop(reason) => {
                    self.tell_of_decision(now.instant, &situation, decision, cause, error);
                    return Err(self.stop_at(now, reason, last));
                }
            };
            if self.permit.reserve(cause) {
                self.tell_of_decision(now.instant, &situation, decision, cause, error);
                return Ok(self.pause(now, delay));
            }
            // Another call was faster; the same question with what is known now.
            situation.token_available = false;
        }
    }

    /// The failure counts, whatever is decided about it.
    fn note(&mut self, failed: Failed, now: Now) {
        let Failed { class, .. } = failed;
        let outcome = if class.is_retryable() { Settled::Failure } else { Settled::Answer };
        self.settle(outcome, || now.instant);
        self.past.get_or_insert(Past::NONE).class = class;
        if class.delivery() == Delivery::Unknown {
            self.outcome = Outcome::Unknown;
            self.standing.doubt();
        }
    }

    pub(crate) fn stop(
        &mut self,
        reason: Reason,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Stopped {
        let now = self.now(environment);
        self.stop_at(now, reason, last)
    }

    /// Each call deposits once, when its first attempt has ended: an attempt that was dropped says
    /// nothing, and calls inside the retry of another are part of that retry.
    #[inline]
    fn settle(&self, outcome: Settled, now: impl Fn() -> Instant) {
        let first = self.attempts() == 1 && !self.standing.is_repeated();
        self.permit.settle(first, outcome, now);
    }

    fn pause(&mut self, now: Now, delay: decide::Delay) -> Pause {
        self.time_passed = true;
        self.since = now.offset;
        if delay.source == decide::DelaySource::Backoff {
            self.past.get_or_insert(Past::NONE).previous_delay = Offset::of(Some(delay.drawn));
        }
        // The decision saw that the wait ends before the deadline, so the sum fits where there is one.
        let until = now.instant.checked_add(delay.drawn).filter(|until| *until > now.instant);
        Pause { until }
    }

    fn stop_at(&mut self, now: Now, reason: Reason, last: Last<'_>) -> Stopped {
        let (outcome, mut class) = (self.outcome, self.past.unwrap_or(Past::NONE).class);
        if outcome == Outcome::Unknown {
            // An earlier attempt counts beside one that was not even sent.
            class = class.unknown();
            self.tell_enclosing_call();
        }
        let repeatable = self.call.rules.effect != Effect::Once || outcome == Outcome::NotApplied;
        self.tell_end(now.instant, CallEnd::GaveUp { reason, outcome, last });
        Stopped {
            reason,
            outcome,
            attempts: self.attempts(),
            elapsed: now.offset.left(Offset::ZERO),
            class: if repeatable { class } else { class.permanent() },
        }
    }
}
