//! What those who observe a call are told. Where nobody does, each of these is one look at a flag.

use super::Progress;
use super::phase::{Asked, Phase};
use crate::call::failed::Failed;
use crate::decide::{Case, Decision, Wait};
use crate::downstream::Permit;
use crate::environment::Environment;
use crate::error::Reason;
use crate::observe::{
    Answer, AttemptEnd, CallEnd, Event, Spans, Witness, anybody_listens, is_heard,
};
use crate::time::Now;
use std::fmt::Debug;
use std::time::Duration;

/// The last error of the downstream, of whatever type.
pub(crate) type Last<'e> = Option<&'e dyn Debug>;

/// What is kept of a call while it is observed.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) spans: Spans,
    /// How long it has waited between attempts.
    waited: Duration,
}

impl<'d> Progress<'d> {
    /// What the call holds of its downstream, beside what that may need to tell.
    #[inline]
    pub(super) fn permit_and_witness(&mut self) -> (&mut Permit<'d>, Option<Witness<'_>>) {
        let Self { permit, call, owner, standing, observed, .. } = self;
        let witness = observed.as_deref().map(|Observed { spans, .. }| Witness {
            call,
            downstream: permit.downstream(),
            attempt: standing.attempt(),
            owner: *owner,
            standing,
            spans,
        });
        (permit, witness)
    }

    #[inline]
    pub(super) fn tell(&self, now: Now, event: &Event<'_>) {
        if let Some(observed) = &self.observed {
            self.witness(&observed.spans).tell(now, event);
        }
    }

    fn witness<'w>(&'w self, spans: &'w Spans) -> Witness<'w> {
        Witness {
            call: self.call,
            downstream: self.permit.downstream(),
            attempt: self.attempts(),
            owner: self.owner,
            standing: &self.standing,
            spans,
        }
    }

    /// Before the first attempt, and again if a question came before it. Whether anybody listens is
    /// asked once, so that who hears of the beginning of a call hears of its end.
    #[inline]
    pub(super) fn tell_of_beginning(&mut self) {
        if self.observed.is_none() {
            let observer = self.permit.downstream().own_observer();
            if observer.is_some() || anybody_listens() && self.is_heard() {
                self.tell_started();
            }
        }
    }

    #[cold]
    fn is_heard(&self) -> bool {
        is_heard(self.standing.watch())
    }

    #[cold]
    fn tell_started(&mut self) {
        let parent = self.standing.begin_observed(self.key);
        let began = Now::at(self.began);
        let spans = Spans::of_call(&self.witness(&Spans::NONE).facts(began));
        self.observed = Some(Box::new(Observed { spans, waited: Duration::ZERO }));
        let place = self.call.location().into();
        self.tell(began, &Event::CallStarted { parent, place });
    }

    /// Before an attempt that is not the first.
    #[inline]
    pub(super) fn tell_of_wait(&mut self, now: Now) {
        if self.observed.is_some() {
            let took = self.lasted(now);
            if let Some(observed) = &mut self.observed {
                observed.waited = observed.waited.saturating_add(took);
            }
            self.tell(now, &Event::Waited { took });
        }
    }

    #[inline]
    pub(super) fn tell_of_start(&mut self, now: Now, asked: Asked) {
        if let Some(observed) = &mut self.observed {
            let end = self.standing.cut();
            let timeout = end.left(now.time).duration();
            let event = match asked {
                Asked::Attempt => {
                    observed.spans.begin_attempt(self.standing.attempt());
                    Event::AttemptStarted { timeout, limit: self.limit }
                }
                Asked::Question => {
                    observed.spans.begin_question();
                    Event::QuestionStarted { timeout }
                }
            };
            self.tell(now, &event);
        }
    }

    #[inline]
    pub(super) fn tell_of_adapted(&self, now: Now, to: Option<Duration>) {
        if self.observed.is_some() {
            let from = self.permit.downstream().observe_timeout(to);
            if from != to {
                self.tell(now, &Event::TimeoutAdapted { from, to });
            }
        }
    }

    #[inline]
    pub(super) fn tell_of_success(&mut self, now: Now) {
        self.phase = Phase::Over;
        if self.observed.is_some() {
            self.tell_of_attempt(AttemptEnd::Succeeded, now);
        }
    }

    #[inline]
    pub(super) fn tell_of_failure(&mut self, failed: Failed, last: Last<'_>, now: Now) {
        self.phase = Phase::Over;
        if self.observed.is_some() {
            let Failed { class, timed_out, .. } = failed;
            let end = if timed_out {
                AttemptEnd::TimedOut { class, limit: self.limit }
            } else {
                AttemptEnd::Failed { class, error: last }
            };
            self.tell_of_attempt(end, now);
        }
    }

    #[cold]
    fn tell_of_attempt(&mut self, end: AttemptEnd<'_>, now: Now) {
        self.tell(now, &Event::AttemptEnded { end, took: self.lasted(now) });
        self.leave_span();
    }

    pub(super) fn tell_of_answer(
        &mut self,
        answer: Option<Answer>,
        environment: &impl Environment,
    ) {
        let before = std::mem::replace(&mut self.phase, Phase::Over);
        if self.observed.is_some() && before == Phase::Question {
            let now = Now::of(environment.now());
            self.tell(now, &Event::QuestionEnded { answer, took: self.lasted(now) });
            self.leave_span();
        }
    }

    /// The attempt or the question is over.
    fn leave_span(&mut self) {
        if let Some(observed) = &mut self.observed {
            observed.spans.end();
        }
    }

    #[cold]
    pub(super) fn tell_of_decision(
        &self,
        now: Now,
        case: Case<'_>,
        decided: Result<Wait, Reason>,
        failed: Failed,
        last: Last<'_>,
    ) {
        let (downstream, retry) = (self.permit.downstream(), failed.cause());
        let error = last.filter(|_| !failed.timed_out);
        let (mut situation, decision) = (case.situation(), decided.into());
        situation.token_available = match decided {
            Ok(_) => true,
            Err(Reason::BudgetExhausted) => false,
            // Something else ended the call, and nobody has tried to take one.
            Err(_) => downstream.holds_retry(retry),
        };
        self.tell(now, &Event::Decided { situation, decision, error });
        if decision == Decision::Stop(Reason::BudgetExhausted) {
            let short = downstream.exhausted(retry);
            let (downstream, tokens) = (short.name(), short.retry_tokens());
            self.tell(now, &Event::BudgetExhausted { downstream, tokens });
        }
    }

    /// Nothing is told after that.
    pub(super) fn tell_end(&mut self, now: Now, end: CallEnd<'_>) {
        if let Some(Observed { waited, .. }) = self.observed.as_deref() {
            let elapsed = now.time.since(self.began);
            self.tell(now, &Event::CallEnded { end, elapsed, waited: *waited });
            self.observed = None;
        }
    }

    /// The call goes away before its end: its caller dropped it, or its body panicked.
    #[cold]
    pub(crate) fn abandon(&mut self, environment: &impl Environment) {
        let panicked = self.permit.has_panicked();
        match self.phase {
            Phase::Attempt => {
                let end = if panicked { AttemptEnd::Panicked } else { AttemptEnd::Dropped };
                self.phase = Phase::Over;
                self.tell_of_attempt(end, Now::of(environment.now()));
            }
            Phase::Question => self.tell_of_answer(None, environment),
            _ => {}
        }
        let (permit, witness) = self.permit_and_witness();
        permit.give_up(environment, witness);
        let end = if panicked { CallEnd::Panicked } else { CallEnd::Dropped };
        self.tell_end(Now::of(environment.now()), end);
    }

    /// How long what runs, or the pause, has lasted.
    fn lasted(&self, now: Now) -> Duration {
        now.time.since(self.since)
    }
}
