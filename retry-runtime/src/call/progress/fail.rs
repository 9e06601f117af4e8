//! What follows a failed attempt: the downstream is told, it is decided, and a retry is paid for.

use super::Progress;
use super::told::Last;
use crate::call::Pause;
use crate::call::failed::{Failed, Limit};
use crate::classify::Delivery;
use crate::decide::{Case, DelaySource, Wait};
use crate::downstream::Outcome as Settled;
use crate::environment::Environment;
use crate::error::{Outcome, Reason, Stopped};
use crate::time::Now;

impl<'d> Progress<'d> {
    /// The attempt failed.
    pub(crate) fn fail(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        let now = Now::of(environment.now());
        self.end(failed, last, now, environment);
        self.decide(failed, last, now, environment)
    }

    /// Tells the downstream how the attempt ended.
    #[inline]
    pub(in crate::call) fn end(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        now: Now,
        environment: &impl Environment,
    ) {
        self.tell_of_failure(failed, last, now);
        if failed.timed_out && self.limit == Limit::Adapted {
            self.permit.downstream().note_cut(now.time);
        }
        self.report(failed.verdict(self.limit), move || now, environment);
    }

    /// Decides, and reserves the token that a retry costs.
    #[inline]
    pub(in crate::call) fn decide(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        now: Now,
        environment: &impl Environment,
    ) -> Result<Pause, Stopped> {
        self.note(failed, now);
        let draw = environment.draw();
        let decided = if self.observed.is_some() {
            self.decide_aloud(failed, last, now, draw)
        } else {
            let case = self.case(failed, now, draw);
            self.decide_and_pay(case, failed, now)
        };
        match decided {
            Ok(wait) => Ok(self.pause(now, wait)),
            Err(reason) => Err(self.stop_at(now, reason, failed.class, last)),
        }
    }

    /// The same where somebody is told.
    #[cold]
    fn decide_aloud(
        &mut self,
        failed: Failed,
        last: Last<'_>,
        now: Now,
        draw: u64,
    ) -> Result<Wait, Reason> {
        let case = self.case(failed, now, draw);
        let decided = self.decide_and_pay(case, failed, now);
        self.tell_of_decision(now, case, decided, failed, last);
        decided
    }

    #[inline]
    fn case(&mut self, failed: Failed, now: Now, draw: u64) -> Case<'d> {
        let Failed { class, unanswered, .. } = failed;
        Case {
            policy: self.policy(),
            attempt: self.attempts(),
            owner: self.owner,
            retries_left: self.standing.retries_left(),
            class,
            unanswered,
            time_left: self.standing.deadline().left(now.time),
            previous_delay: self.delay,
            open_for: self.permit.downstream().open_for(now.time),
            token_available: true,
            draw,
        }
    }

    /// Whether there is a token is known when one is taken.
    #[inline]
    fn decide_and_pay(&mut self, case: Case<'_>, failed: Failed, now: Now) -> Result<Wait, Reason> {
        match case.decide() {
            Ok(wait) if self.permit.reserve(failed.cause(), now.time) => Ok(wait),
            Ok(_) => Case { token_available: false, ..case }.decide_again(),
            Err(reason) => {
                self.permit.downstream().take_no_retry(now.time);
                Err(reason)
            }
        }
    }

    /// The failure counts, whatever is decided about it.
    #[inline]
    pub(super) fn note(&mut self, failed: Failed, now: Now) {
        let Failed { class, .. } = failed;
        let outcome = if class.is_retryable() { Settled::Failure } else { Settled::Answer };
        let read = now.instant();
        self.settle(outcome, move || read);
        self.said = class.said();
        if class.delivery() == Delivery::Unknown {
            self.outcome = Outcome::Unknown;
            self.standing.doubt();
        }
    }

    #[inline]
    fn pause(&mut self, now: Now, wait: Wait) -> Pause {
        self.since = now.time;
        if wait.source == DelaySource::Backoff {
            self.delay = wait.drawn;
        }
        // The decision saw that the wait ends before the deadline, so the sum fits where there is one.
        let until = now.time.plus(wait.drawn);
        Pause { until: (until > now.time).then_some(until) }
    }
}
