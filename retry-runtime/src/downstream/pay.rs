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
        let settle = |downstream: &Self| {
            let note = || downstream.note_deposit(now());
            downstream.retries.settle(first, outcome, paid, note);
        };
        settle(self);
        if let Some(parent) = self.parent {
            settle(parent);
        }
    }

    #[inline]
    fn note_deposit(&self, now: Instant) {
        self.recent.unless_lately(now, || {
            let nanos = self.clock.nanos(Time::of(now));
            let until = self.retries.note_deposit(nanos);
            Duration::from_nanos(until.saturating_sub(nanos))
        });
    }

    /// Whether a retry can be paid.
    #[inline]
    pub(crate) fn affords_retry(&self, cause: Cause, now: Time) -> bool {
        let affords =
            |downstream: &Self| downstream.retries.affords(cause, downstream.clock.nanos(now));
        affords(self) && self.parent.is_none_or(affords)
    }

    /// The one, this or its parent, whose budget cannot pay for a retry.
    pub(crate) fn exhausted(&self, cause: Cause) -> &Self {
        self.parent.filter(|_| self.retries.holds(cause)).unwrap_or(self)
    }

    /// Pays for a retry, of which [`Self::give_back_retry`] makes nothing.
    #[inline]
    pub(super) fn take_retry(&self, cause: Cause) -> bool {
        if !self.retries.take(cause) {
            return false;
        }
        let taken = self.parent.is_none_or(|parent| parent.retries.take(cause));
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
