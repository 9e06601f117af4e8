//! The running account of a retry budget: lock-free, and only read while it is full.

use super::budget::{Budget, TOKEN};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is left of a budget. Amounts are millionths of a token.
#[derive(Debug)]
pub(super) struct Ledger {
    budget: Budget,
    held: AtomicU64,
    /// Nanoseconds of the downstream's clock up to which the reserve was paid out.
    paid_until: AtomicU64,
}

const NANOS_PER_SECOND: u128 = 1_000_000_000;

impl Ledger {
    pub(super) const fn new(budget: Budget) -> Self {
        Self { held: AtomicU64::new(budget.reserve()), budget, paid_until: AtomicU64::new(0) }
    }

    /// Starts anew with another budget, before first use.
    pub(super) const fn set(&mut self, budget: Budget) {
        self.held = AtomicU64::new(budget.reserve());
        self.budget = budget;
    }

    pub(super) fn tokens(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "exact below nine thousand million tokens")]
        let (held, token) = (self.held.load(Relaxed) as f64, TOKEN as f64);
        held / token
    }

    /// One call has had its first answer.
    pub(super) fn deposit(&self) {
        self.add(self.budget.deposit());
    }

    /// Whether a token is there; the reserve is paid out up to `now` first.
    pub(super) fn has_token(&self, now: u64) -> bool {
        self.pay_reserve(now);
        self.held.load(Relaxed) >= TOKEN
    }

    /// Takes a token, to be spent or given back.
    pub(super) fn take(&self) -> Option<Token<'_>> {
        self.held
            .fetch_update(Relaxed, Relaxed, |held| held.checked_sub(TOKEN))
            .is_ok()
            .then_some(Token { ledger: Some(self) })
    }

    fn pay_reserve(&self, now: u64) {
        let reserve = self.budget.reserve();
        if reserve == 0 {
            return;
        }
        let from = self.paid_until.load(Relaxed);
        let due = u128::from(reserve) * u128::from(now.saturating_sub(from)) / NANOS_PER_SECOND;
        // Whoever moves the mark pays, so that no stretch of time is paid twice.
        if due > 0 && self.paid_until.compare_exchange(from, now, Relaxed, Relaxed).is_ok() {
            self.add(u64::try_from(due).unwrap_or(u64::MAX));
        }
    }

    /// Adds what there is room for. A full ledger is only read, so that callers who succeed share
    /// no written cache line.
    fn add(&self, amount: u64) {
        let capacity = self.budget.capacity();
        let mut held = self.held.load(Relaxed);
        while held < capacity {
            let more = held.saturating_add(amount).min(capacity);
            match self.held.compare_exchange_weak(held, more, Relaxed, Relaxed) {
                Ok(_) => return,
                Err(other) => held = other,
            }
        }
    }
}

/// One retry, paid for but not yet started. Dropping it gives the token back.
#[derive(Debug)]
pub(crate) struct Token<'l> {
    ledger: Option<&'l Ledger>,
}

impl Token<'_> {
    /// The retry starts now.
    pub(crate) fn spend(mut self) {
        self.ledger = None;
    }
}

impl Drop for Token<'_> {
    fn drop(&mut self) {
        if let Some(ledger) = self.ledger {
            ledger.add(TOKEN);
        }
    }
}
