//! The running account of a retry budget: lock-free, and only read while it is full.

use super::atom::Atom;
use super::budget::{Budget, Outcome, TOKEN};
use super::clock::NANOS_PER_SECOND;
use crate::classify::Class;
use std::sync::atomic::AtomicU64;

/// What is left of a budget. Amounts are millionths of a token.
#[derive(Debug)]
pub(super) struct Ledger<A = AtomicU64> {
    budget: Budget,
    held: A,
    /// Nanoseconds of the downstream's clock up to which the reserve was paid out.
    paid_until: A,
    /// The second of that clock in which a call last added something.
    active_second: A,
}

/// Finagle's time to live of a deposit.
const EXPIRY_SECONDS: u64 = 10;

impl Ledger<AtomicU64> {
    pub(super) const fn new(budget: Budget) -> Self {
        Self {
            held: AtomicU64::new(budget.initial()),
            budget,
            paid_until: AtomicU64::new(0),
            active_second: AtomicU64::new(0),
        }
    }

    /// Starts anew with another budget, before first use.
    pub(super) const fn set(&mut self, budget: Budget) {
        self.held = AtomicU64::new(budget.initial());
        self.budget = budget;
    }
}

impl<A: Atom> Ledger<A> {
    /// With words of another kind.
    #[cfg(test)]
    pub(super) fn of(budget: Budget, word: impl Fn(u64) -> A) -> Self {
        Self { held: word(budget.initial()), paid_until: word(0), active_second: word(0), budget }
    }

    /// Millionths of a token.
    #[cfg(test)]
    pub(super) fn held(&self) -> u64 {
        self.held.load()
    }

    pub(super) fn tokens(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact below nine thousand million tokens")]
        let (held, token) = (self.held.load() as f64, TOKEN as f64);
        held / token
    }

    /// An attempt has ended at `now`, which is only asked where it matters.
    #[inline]
    pub(super) fn settle(&self, first: bool, outcome: Outcome, paid: u64, now: impl Fn() -> u64) {
        let (added, taken) = self.budget.settle(first, outcome, paid);
        if added > 0 {
            if self.budget.expires() {
                self.note_deposit(now());
            }
            self.add(added);
        }
        if taken > 0 {
            let less = |held: u64| Some(held.saturating_sub(taken));
            // The update always gives a value.
            let _ = self.held.update(less);
        }
    }

    /// What a retry costs after such a failure.
    pub(super) fn cost(&self, class: Class, timed_out: bool) -> u64 {
        self.budget.cost(class, timed_out)
    }

    /// Whether a retry of this cost can be paid; the reserve is paid out up to `now` first.
    pub(super) fn affords(&self, cost: u64, now: u64) -> bool {
        self.expire(now);
        self.pay_reserve(now);
        self.holds(cost)
    }

    /// Whether what was last paid in pays for a retry of this cost.
    pub(super) fn holds(&self, cost: u64) -> bool {
        self.held.load() >= self.budget.least(cost)
    }

    /// Takes what a retry costs, to be spent or given back.
    pub(super) fn take(&self, cost: u64) -> Option<Token<'_, A>> {
        let least = self.budget.least(cost);
        let less = |held: u64| (held >= least).then(|| held - cost);
        let taken = self.held.update(less);
        // Made only when it was paid for: dropping it gives the cost back.
        taken.ok().map(|_| Token { ledger: Some(self), cost })
    }

    /// What is old goes before what is new comes. Looked at once a second at most.
    #[inline]
    fn note_deposit(&self, now: u64) {
        if self.active_second.load() < now / NANOS_PER_SECOND {
            self.expire(now);
            self.note_activity(now);
        }
    }

    /// Written once a second at most, so that callers who succeed share no written cache line.
    fn note_activity(&self, now: u64) {
        let second = now / NANOS_PER_SECOND;
        if self.active_second.load() < second {
            self.active_second.store(second);
        }
    }

    /// What calls of long ago have earned pays for no retries of today.
    fn expire(&self, now: u64) {
        let idle = (now / NANOS_PER_SECOND).saturating_sub(self.active_second.load());
        if self.budget.expires() && idle > EXPIRY_SECONDS {
            self.note_activity(now);
            let kept = |held: u64| Some(held.min(self.budget.initial()));
            // The update always gives a value.
            let _ = self.held.update(kept);
        }
    }

    fn pay_reserve(&self, now: u64) {
        let reserve = self.budget.reserve();
        if reserve == 0 {
            return;
        }
        let from = self.paid_until.load();
        let due = u128::from(reserve) * u128::from(now.saturating_sub(from))
            / u128::from(NANOS_PER_SECOND);
        // Whoever moves the mark pays, so that no stretch of time is paid twice.
        if due > 0 && self.paid_until.exchange(from, now).is_ok() {
            self.add(u64::try_from(due).unwrap_or(u64::MAX));
        }
    }

    /// Adds what there is room for. A full ledger is only read, so that callers who succeed share
    /// no written cache line.
    fn add(&self, amount: u64) {
        let capacity = self.budget.capacity();
        // A full ledger is an error here, and nothing is written.
        let _ = self
            .held
            .update(|held| (held < capacity).then(|| held.saturating_add(amount).min(capacity)));
    }
}

/// One retry, paid for but not yet started. Dropping it gives the cost back.
#[derive(Debug)]
pub(crate) struct Token<'l, A: Atom = AtomicU64> {
    ledger: Option<&'l Ledger<A>>,
    cost: u64,
}

impl<A: Atom> Token<'_, A> {
    /// The retry starts now. Gives what it cost.
    pub(crate) fn spend(mut self) -> u64 {
        self.ledger = None;
        self.cost
    }
}

impl<A: Atom> Drop for Token<'_, A> {
    fn drop(&mut self) {
        if let Some(ledger) = self.ledger {
            ledger.add(self.cost);
        }
    }
}
