//! Paying for retries, at a downstream and at its parent.

use super::{Cause, Downstream, Outcome};
use crate::time::Time;
use std::time::Duration;
use tokio::time::Instant;

impl Downstream {
    /// An attempt has ended; see [`Budget`](super::Budget) for what that changes. The clock is asked
    /// only where that depends on the time.
    #[inline]
    pub(crate) fn settle(
        &self,
        first: bool,
        outcome: Outcome,
        paid: Option<Cause>,
        now: impl Fn() -> Instant,
    ) {
        self.retries.settle(first, outcome, paid, || self.note_deposit(now()));
        if let Some(parent) = self.parent {
            parent.settle_as_parent(first, outcome, paid, now);
        }
    }

    #[inline(never)]
    fn settle_as_parent(
        &self,
        first: bool,
        outcome: Outcome,
        paid: Option<Cause>,
        now: impl Fn() -> Instant,
    ) {
        self.retries.settle(first, outcome, paid, || self.note_deposit(now()));
    }

    #[inline]
    fn note_deposit(&self, now: Instant) {
        self.recent.unless_lately(now, || {
            let nanos = self.clock.nanos(Time::of(now));
            let until = self.retries.note_deposit(nanos);
            Duration::from_nanos(until.saturating_sub(nanos))
        });
    }

    /// No retry is paid for at this time: the reserves are paid out all the same.
    pub(crate) fn take_no_retry(&self, now: Time) {
        let reach = |downstream: &Self| downstream.retries.reach(downstream.clock.nanos(now));
        reach(self);
        self.parent.into_iter().for_each(reach);
    }

    /// Whether a retry could be paid when the budgets were last asked.
    pub(crate) fn holds_retry(&self, cause: Cause) -> bool {
        let holds = |downstream: &Self| downstream.retries.holds(cause);
        holds(self) && self.parent.is_none_or(holds)
    }

    /// The one, this or its parent, whose budget cannot pay for a retry.
    pub(crate) fn exhausted(&self, cause: Cause) -> &Self {
        self.parent.filter(|_| self.retries.holds(cause)).unwrap_or(self)
    }

    /// Pays for a retry, of which [`Self::give_back_retry`] makes nothing.
    pub(super) fn take_retry(&self, cause: Cause, now: Time) -> bool {
        let taken = self.retries.take(cause, self.clock.nanos(now));
        match self.parent {
            Some(parent) if taken => self.take_from_parent(parent, cause, now),
            _ => taken,
        }
    }

    #[inline(never)]
    fn take_from_parent(&self, parent: &Self, cause: Cause, now: Time) -> bool {
        let taken = parent.retries.take(cause, parent.clock.nanos(now));
        if !taken {
            self.retries.give_back(cause);
        }
        taken
    }

    #[cold]
    pub(super) fn give_back_retry(&self, cause: Cause) {
        self.retries.give_back(cause);
        if let Some(parent) = self.parent {
            parent.retries.give_back(cause);
        }
    }
}
