//! The running account of a retry budget: lock-free, and only read while it is full.

use super::atom::Atom;
use super::budget::{Budget, Cause, Outcome, TOKEN};
use super::clock::NANOS_PER_SECOND;
use std::sync::atomic::AtomicU64;

/// What is left of a budget. Amounts are millionths of a token.
#[derive(Debug)]
pub(super) struct Ledger<A = AtomicU64> {
    budget: Budget,
    /// Of the budget, so that nobody has to compute it for every call.
    capacity: u64,
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
            capacity: budget.capacity(),
            held: AtomicU64::new(budget.initial()),
            budget,
            paid_until: AtomicU64::new(0),
            active_second: AtomicU64::new(0),
        }
    }

    /// Starts anew with another budget, before first use.
    pub(super) const fn set(&mut self, budget: Budget) {
        self.held = AtomicU64::new(budget.initial());
        self.capacity = budget.capacity();
        self.budget = budget;
    }
}

impl<A: Atom> Ledger<A> {
    /// With words of another kind.
    #[cfg(test)]
    pub(super) fn of(budget: Budget, word: impl Fn(u64) -> A) -> Self {
        Self {
            capacity: budget.capacity(),
            held: word(budget.initial()),
            paid_until: word(0),
            active_second: word(0),
            budget,
        }
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

    /// Whether there is no room for more.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.held.load() >= self.capacity
    }

    /// An attempt has ended. `note` is asked to call [`Self::note_deposit`], if not long ago it did:
    /// what calls have earned expires when nobody adds to it.
    #[inline]
    pub(super) fn settle(
        &self,
        first: bool,
        outcome: Outcome,
        paid: Option<Cause>,
        note: impl FnOnce(),
    ) {
        let (added, taken) = self.budget.settle(first, outcome, paid);
        if added > 0 {
            if self.budget.expires() {
                note();
            }
            self.add(added);
        }
        if taken > 0 {
            let less = |held: u64| Some(held.saturating_sub(taken));
            // The update always gives a value.
            let _ = self.held.update(less);
        }
    }

    /// Time has come to `now`, up to which the reserve is paid out.
    #[inline]
    pub(super) fn reach(&self, now: u64) {
        self.expire(now);
        self.add(self.take_reserve(now));
    }

    /// Whether there is enough for a retry.
    #[inline]
    pub(super) fn holds(&self, cause: Cause) -> bool {
        self.held.load() >= self.budget.least(self.budget.cost(cause))
    }

    /// Takes what a retry costs, to be spent or given back.
    #[inline]
    pub(super) fn take(&self, cause: Cause, now: u64) -> bool {
        self.expire(now);
        self.pay(cause, self.take_reserve(now))
    }

    /// The same with what the reserve adds.
    #[inline]
    pub(super) fn pay(&self, cause: Cause, reserve: u64) -> bool {
        let cost = self.budget.cost(cause);
        let least = self.budget.least(cost);
        let pay = |held: u64| {
            let held = self.more(held, reserve);
            (held >= least).then(|| held - cost)
        };
        let is_paid = self.held.update(pay).is_ok();
        if !is_paid {
            self.add(reserve);
        }
        is_paid
    }

    /// The retry is not made.
    pub(super) fn give_back(&self, cause: Cause) {
        self.add(self.budget.cost(cause));
    }

    /// A call adds something. What is old goes before what is new comes. Gives the nanosecond until
    /// which nobody needs to say so again.
    #[inline]
    pub(super) fn note_deposit(&self, now: u64) -> u64 {
        let second = now / NANOS_PER_SECOND;
        if self.active_second.load() < second {
            self.expire(now);
            self.note_activity(second);
        }
        (second + 1).saturating_mul(NANOS_PER_SECOND)
    }

    /// Written once a second at most, so that callers who succeed share no written cache line.
    fn note_activity(&self, second: u64) {
        if self.active_second.load() < second {
            self.active_second.store(second);
        }
    }

    /// What calls of long ago have earned pays for no retries of today.
    #[inline]
    fn expire(&self, now: u64) {
        let last_second = self.active_second.load().saturating_add(EXPIRY_SECONDS + 1);
        if now >= last_second.saturating_mul(NANOS_PER_SECOND) && self.budget.expires() {
            self.expire_some(now);
        }
    }

    #[cold]
    fn expire_some(&self, now: u64) {
        self.note_activity(now / NANOS_PER_SECOND);
        let kept = |held: u64| Some(held.min(self.budget.initial()));
        // The update always gives a value.
        let _ = self.held.update(kept);
    }

    /// What the reserve has brought until now. Whoever moves the mark pays it out, so that no stretch
    /// of time is paid twice.
    #[inline]
    fn take_reserve(&self, now: u64) -> u64 {
        let (reserve, from) = (self.budget.reserve(), self.paid_until.load());
        let due = due(reserve, now.saturating_sub(from));
        if due > 0 && self.paid_until.exchange(from, now).is_ok() { due } else { 0 }
    }

    /// Adds what there is room for. A full ledger is only read, so that callers who succeed share
    /// no written cache line.
    #[inline]
    fn add(&self, amount: u64) {
        if amount > 0 && self.held.load() < self.capacity {
            self.add_some(amount);
        }
    }

    fn add_some(&self, amount: u64) {
        // A full ledger is an error here, and nothing is written.
        let _ = self.held.update(|held| (held < self.capacity).then(|| self.more(held, amount)));
    }

    /// What is held after so much is added, as far as there is room.
    #[inline]
    fn more(&self, held: u64, amount: u64) -> u64 {
        held.saturating_add(amount).min(self.capacity)
    }
}

/// What a reserve of so much per second brings in this time.
#[inline]
fn due(per_second: u64, nanos: u64) -> u64 {
    if let Some(product) = per_second.checked_mul(nanos) {
        return product / NANOS_PER_SECOND;
    }
    let due = u128::from(per_second) * u128::from(nanos) / u128::from(NANOS_PER_SECOND);
    u64::try_from(due).unwrap_or(u64::MAX)
}
