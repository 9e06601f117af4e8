//! What those who observe a call are told. Where nobody does, each of these is one look at a flag.

use super::enter::{Asked, Phase};
use super::{Now, Progress};
use crate::decide::{Decision, Situation};
use crate::downstream::{Cause, Permit};
use crate::environment::{Environment, Live};
use crate::error::Reason;
use crate::observe::{Answer, AttemptEnd, CallEnd, Event, Witness, anybody_listens};
use crate::offset::Offset;
use std::fmt::Debug;
use std::time::Duration;
use tokio::time::Instant;

/// The last error of the downstream, of whatever type.
pub(crate) type Last<'e> = Option<&'e dyn Debug>;

impl<'d> Progress<'d> {
    /// What the call holds of its downstream, beside what that may need to tell.
    #[inline]
    pub(super) fn permit_and_witness(&mut self) -> (&mut Permit<'d>, Option<Witness<'_>>) {
        let Self { permit, call, owner, standing, watched, .. } = self;
        let witness = watched.then(|| Witness {
            call,
            downstream: permit.downstream(),
            attempt: standing.attempt(),
            owner: *owner,
            standing,
        });
        (permit, witness)
    }

    #[inline]
    pub(super) fn tell(&self, now: Instant, event: &Event<'_>) {
        if self.watched {
            self.witness().tell(now, event);
        }
    }

    fn witness(&self) -> Witness<'_> {
        Witness {
            call: self.call,
            downstream: self.permit.downstream(),
            attempt: self.attempts(),
            owner: self.owner,
            standing: &self.standing,
        }
    }

    /// Before an attempt: the call begins, or its pause is over. Whether anybody listens is asked
    /// once, so that who hears of the beginning of a call hears of its end.
    #[inline]
    pub(super) fn tell_of_beginning(&mut self, environment: &impl Environment) {
        if self.attempts() == 0 {
            self.watched = anybody_listens() || self.permit.downstream().own_observer().is_some();
            if self.watched {
                self.tell_started(environment);
            }
        } else if self.watched {
            let now = self.now(environment);
            self.tell(now.instant, &Event::Waited { took: self.lasted(now) });
        }
    }

    #[cold]
    fn tell_started(&mut self, environment: &impl Environment) {
        let parent = self.standing.begin_observed(self.key);
        let began = self.began(environment);
        self.tell(began.instant, &Event::CallStarted { parent });
    }

    #[inline]
    pub(super) fn tell_of_start(&self, now: Now, asked: Asked) {
        if self.watched {
            let end = self.standing.cut();
            let timeout = (end != Offset::NEVER).then(|| end.left(now.offset));
            let event = match asked {
                Asked::Attempt => Event::AttemptStarted { timeout, limit: self.limit },
                Asked::Question => Event::QuestionStarted { timeout },
            };
            self.tell(now.instant, &event);
        }
    }

    pub(super) fn tell_of_adapted(&self, now: Instant, to: Option<Duration>) {
        if self.watched {
            let from = self.permit.downstream().observe_timeout(to);
            if from != to {
                self.tell(now, &Event::TimeoutAdapted { from, to });
            }
        }
    }

    #[inline]
    pub(super) fn tell_of_attempt(&mut self, end: AttemptEnd<'_>, environment: &impl Environment) {
        self.phase = Phase::Over;
        if self.watched {
            let now = self.now(environment);
            self.tell(now.instant, &Event::AttemptEnded { end, took: self.lasted(now) });
        }
    }

    pub(super) fn tell_of_answer(
        &mut self,
        answer: Option<Answer>,
        environment: &impl Environment,
    ) {
        let before = std::mem::replace(&mut self.phase, Phase::Over);
        if self.watched && before == Phase::During(Asked::Question) {
            let now = self.now(environment);
            self.tell(now.instant, &Event::QuestionEnded { answer, took: self.lasted(now) });
        }
    }

    pub(super) fn tell_of_decision(
        &self,
        now: Instant,
        situation: &Situation<'_>,
        decision: Decision,
        cause: Cause,
    ) {
        if !self.watched {
            return;
        }
        self.tell(now, &Event::Decided { situation, decision });
        if decision == Decision::Stop(Reason::BudgetExhausted) {
            let short = self.permit.downstream().exhausted(cause);
            let (downstream, tokens) = (short.name(), short.retry_tokens());
            self.tell(now, &Event::BudgetExhausted { downstream, tokens });
        }
    }

    /// Nothing is told after that.
    pub(super) fn tell_end(&mut self, now: Instant, end: CallEnd<'_>) {
        if self.watched {
            let elapsed = self.standing.offset(now).left(Offset::ZERO);
            self.tell(now, &Event::CallEnded { end, elapsed });
            self.watched = false;
        }
    }

    /// The call goes away before its end: its caller dropped it, or its body panicked.
    #[cold]
    pub(crate) fn abandon(&mut self, environment: &impl Environment) {
        let panicked = self.permit.has_panicked();
        match self.phase {
            Phase::Before(_) | Phase::Over => {}
            Phase::During(Asked::Attempt) => {
                let end = if panicked { AttemptEnd::Panicked } else { AttemptEnd::Dropped };
                self.tell_of_attempt(end, environment);
            }
            Phase::During(Asked::Question) => self.tell_of_answer(None, environment),
        }
        let (permit, witness) = self.permit_and_witness();
        permit.give_up(environment, witness);
        let end = if panicked { CallEnd::Panicked } else { CallEnd::Dropped };
        self.tell_end(environment.now(), end);
    }

    /// How long what runs, or the pause, has lasted.
    fn lasted(&self, now: Now) -> Duration {
        now.offset.left(self.since)
    }
}

/// A call whose end was told of, or that nobody observes, has nothing to say here.
impl Drop for Progress<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.watched {
            self.abandon(&Live);
        }
    }
}
