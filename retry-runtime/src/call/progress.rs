//! The state of one call that does not depend on its types: clock, attempts, deadline, token.

mod effect;
mod enter;
mod fail;
mod phase;
mod told;

pub(crate) use enter::{Before, Start};

use super::Call;
use super::failed::Limit;
use crate::classify::{Class, Said};
use crate::downstream::{Downstream, Outcome as Settled, Permit, Verdict};
use crate::environment::{Environment, Live};
use crate::error::{Outcome, Reason, Stopped};
use crate::key::IdempotencyKey;
use crate::observe::{Answer, CallEnd, Spans};
use crate::policy::{Effect, Policy};
use crate::scope::{Standing, within};
use crate::time::{Now, Span, Time};
use phase::{Asked, First, Phase};
use std::thread::panicking;
use tokio::time::Instant;
use told::{Last, Observed};

/// What of it has to be given back is named in [`let_go`](Self::let_go): where a call is the state of
/// a loop, no other drop is run.
#[derive(Debug)]
pub(crate) struct Progress<'d> {
    call: &'d Call,
    /// What the call holds of the downstream.
    permit: Permit<'d>,
    /// With the deadline of the call, and the number of its last attempt.
    standing: Standing,
    began: Time,
    /// Of the call itself.
    key: Option<&'d IdempotencyKey>,
    /// What the backoff drew last; endless before it has. In [`Phase::KeptOut`], how long to stay
    /// away.
    delay: Span,
    /// When the attempt, the question or the pause began that runs.
    since: Time,
    owner: bool,
    /// Why no attempt may start at all.
    refused: Option<Reason>,
    first: First,
    /// What limits the attempt that runs.
    limit: Limit,
    phase: Phase,
    /// By the last failure, without its hint, which a pause has obeyed when it is asked for again;
    /// before the first, that nothing was sent.
    said: Said,
    /// What is known of the effect of the attempts so far, those of killed workers included.
    outcome: Outcome,
    /// There while somebody is told what the call does, up to its end.
    observed: Option<Box<Observed>>,
}

impl<'d> Progress<'d> {
    pub(crate) fn begin(call: &'d Call, downstream: &'d Downstream, began: Instant) -> Self {
        let began = Time::of(began);
        let permit = Permit::none(downstream);
        match Standing::inside(began, call.limits.call) {
            None => Self::of(call, permit, Standing::first(began, &call.limits), began),
            Some(standing) => Self::of(call, permit, standing, began).inside(),
        }
    }

    /// A call in no scope whose first attempt runs, of which nobody was told.
    pub(super) fn in_first_attempt(
        call: &'d Call,
        permit: Permit<'d>,
        standing: Standing,
        began: Time,
    ) -> Self {
        let mut progress = Self::of(call, permit, standing, began);
        progress.run(Asked::Attempt, began, call.limits.attempt, Limit::Policy);
        progress
    }

    fn of(call: &'d Call, permit: Permit<'d>, standing: Standing, began: Time) -> Self {
        Self {
            call,
            permit,
            standing,
            began,
            key: None,
            delay: Span::ENDLESS,
            since: began,
            owner: true,
            refused: None,
            first: First::Attempt,
            limit: Limit::Call,
            phase: Phase::Over,
            said: Class::PERMANENT.not_sent().said(),
            outcome: Outcome::NotApplied,
            observed: None,
        }
    }

    /// The same of a call that begins in a scope.
    #[inline]
    fn inside(mut self) -> Self {
        self.owner = !self.standing.has_owner() || self.policy().owns();
        self.refused = Self::refused_at_once(self.call.rules.effect, &self.standing);
        if self.standing.is_resumed() {
            self.outcome = Outcome::Unknown;
        }
        if let Some(attempts) = self.call.limits.attempts {
            self.standing.own(attempts);
        }
        self
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

    #[inline]
    fn policy(&self) -> &'d Policy {
        self.call.policy()
    }

    /// Whom it asks.
    #[cfg(feature = "storm")]
    pub(crate) fn downstream(&self) -> &'d Downstream {
        self.permit.downstream()
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

    /// When what runs is over, an attempt or a pause; none where nothing limits it.
    #[inline]
    pub(crate) fn ends_at(&self) -> Option<Instant> {
        self.standing.cut().instant()
    }

    pub(super) fn panicked(&mut self) {
        self.permit.panicked();
    }

    pub(crate) fn succeed(&mut self, environment: &impl Environment) {
        if self.observed.is_some() || self.policy().adaptive().is_some() {
            self.succeed_aloud(environment);
        } else {
            self.phase = Phase::Over;
            self.report(Verdict::Success, || Now::of(environment.now()), environment);
            self.settle(Settled::Success, || environment.now());
        }
        self.tell_enclosing_call();
    }

    /// Where somebody is told when it was.
    #[inline(never)]
    fn succeed_aloud(&mut self, environment: &impl Environment) {
        let now = Now::of(environment.now());
        if self.policy().adaptive().is_some() {
            let latency = now.time.since(self.since);
            self.permit.downstream().note_success(latency, now.time);
        }
        self.tell_of_success(now);
        self.report(Verdict::Success, move || now, environment);
        self.settle(Settled::Success, || now.instant());
        self.tell_end(now, CallEnd::Succeeded);
    }

    /// The question was answered, or not: only an answer says something about the downstream.
    pub(super) fn end_question(&mut self, answer: Option<Answer>, environment: &impl Environment) {
        self.tell_of_answer(answer, environment);
        let verdict = if answer.is_some() { Verdict::Success } else { Verdict::Neutral };
        self.report(verdict, || Now::of(environment.now()), environment);
    }

    /// The attempt failed, and was applied all the same.
    pub(super) fn was_applied(&mut self, environment: &impl Environment) {
        let now = Now::of(environment.now());
        self.settle(Settled::Success, || now.instant());
        self.tell_enclosing_call();
        self.tell_end(now, CallEnd::Succeeded);
    }

    #[inline]
    fn report(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Now + Copy,
        environment: &impl Environment,
    ) {
        if !self.permit.report_quietly(verdict, now) {
            self.report_aloud(verdict, now, environment);
        }
    }

    #[inline(never)]
    fn report_aloud(
        &mut self,
        verdict: Verdict,
        now: impl Fn() -> Now,
        environment: &impl Environment,
    ) {
        let (permit, witness) = self.permit_and_witness();
        permit.report_aloud(verdict, now, environment, witness);
    }

    pub(crate) fn stop(
        &mut self,
        reason: Reason,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Stopped {
        let now = Now::of(environment.now());
        let come_back_in = if self.phase == Phase::KeptOut { self.delay.duration() } else { None };
        self.stop_at(now, reason, self.said.class(come_back_in), last)
    }

    /// Each call deposits once, when its first attempt has ended: an attempt that was dropped says
    /// nothing, and calls inside the retry of another are part of that retry.
    #[inline]
    fn settle(&self, outcome: Settled, now: impl Fn() -> Instant) {
        let first = self.attempts() == 1 && !self.standing.is_repeated();
        self.permit.settle(first, outcome, now);
    }

    fn stop_at(&mut self, now: Now, reason: Reason, mut class: Class, last: Last<'_>) -> Stopped {
        let outcome = self.outcome;
        if outcome == Outcome::Unknown {
            // An earlier attempt counts beside one that was not even sent.
            class = class.unknown();
            self.tell_enclosing_call();
        }
        let repeatable = self.call.rules.effect != Effect::Once || outcome == Outcome::NotApplied;
        self.tell_end(now, CallEnd::GaveUp { reason, outcome, last });
        Stopped {
            reason,
            outcome,
            attempts: self.attempts(),
            elapsed: now.time.since(self.began),
            class: if repeatable { class } else { class.permanent() },
        }
    }
}

impl Progress<'_> {
    /// Gives back all that the call holds. There is nothing left to drop then.
    ///
    /// A call whose end was told of, or that nobody observes, has nothing to say here. Nor has one
    /// that a panic ends that is not of its body: it may be that of an observer, which is not to be
    /// asked again while it unwinds.
    #[inline(never)]
    pub(super) fn let_go(&mut self) {
        if self.observed.is_some() && (self.permit.has_panicked() || !panicking()) {
            self.abandon(&Live);
        }
        self.observed = None;
        self.permit.let_go();
        self.standing.let_go();
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.let_go();
    }
}
