//! One dependency, and the state that all calls to it share.

mod breaker;
mod budget;
mod circuit;
mod clock;
mod ledger;
mod permit;

pub use breaker::{Breaker, BreakerError};
pub(crate) use budget::Outcome;
pub use budget::{Budget, BudgetError};
pub(crate) use circuit::Verdict;
pub(crate) use ledger::Token;
pub(crate) use permit::{Permit, Refusal};

use crate::classify::Class;
use crate::environment::Environment;
use circuit::Circuit;
use clock::Clock;
use ledger::Ledger;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// One dependency and what all calls to it share, most of all the retry budget.
///
/// Make it a `static` and name it in the attribute: `downstream = PAYMENTS`. A call without one has
/// a downstream of its own function, so there is no retry without a budget.
///
/// ```
/// use retry_runtime::{Budget, Downstream};
///
/// static PAYMENTS: Downstream =
///     Downstream::new("payments").budget(Budget::ratio(0.1).per_second(5));
/// assert_eq!(PAYMENTS.name(), "payments");
/// assert_eq!(PAYMENTS.retry_tokens(), 5.0);
/// ```
#[derive(Debug)]
pub struct Downstream {
    name: &'static str,
    clock: Clock,
    retries: Ledger,
    circuit: Option<Circuit>,
}

impl Downstream {
    /// A dependency with the default budget, [`Budget::DEFAULT`].
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, clock: Clock::new(), retries: Ledger::new(Budget::DEFAULT), circuit: None }
    }

    /// The same with this budget.
    ///
    /// # Panics
    ///
    /// When the budget's ratio is refused, which in a `static` is a compile error. For numbers that
    /// are known only at run time there is [`try_budget`](Self::try_budget).
    #[must_use]
    #[track_caller]
    pub const fn budget(mut self, budget: Budget) -> Self {
        if let Err(error) = budget.check() {
            panic!("{}", error.text().as_str());
        }
        self.retries.set(budget);
        self
    }

    /// The same with this budget, for numbers that are known only at run time.
    ///
    /// # Errors
    ///
    /// [`BudgetError`] when the budget's ratio is refused.
    pub fn try_budget(mut self, budget: Budget) -> Result<Self, BudgetError> {
        budget.check()?;
        self.retries.set(budget);
        Ok(self)
    }

    /// The same with a circuit breaker of these settings.
    ///
    /// # Panics
    ///
    /// When a setting is refused, which in a `static` is a compile error. For numbers that are known
    /// only at run time there is [`try_breaker`](Self::try_breaker).
    #[must_use]
    #[track_caller]
    pub const fn breaker(mut self, breaker: Breaker) -> Self {
        if let Err(error) = breaker.check() {
            panic!("{}", error.text().as_str());
        }
        self.circuit = Some(Circuit::new(breaker));
        self
    }

    /// The same with a circuit breaker, for numbers that are known only at run time.
    ///
    /// # Errors
    ///
    /// [`BreakerError`] when a setting is refused.
    pub fn try_breaker(mut self, breaker: Breaker) -> Result<Self, BreakerError> {
        breaker.check()?;
        self.circuit = Some(Circuit::new(breaker));
        Ok(self)
    }

    /// The name, as it was given.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many retries the budget held when it was last asked or paid into.
    #[must_use]
    pub fn retry_tokens(&self) -> f64 {
        self.retries.tokens()
    }

    /// The state of the circuit breaker: `closed`, `open`, `half-open` or `recovering`; `closed`
    /// where there is none.
    #[must_use]
    pub fn breaker_state(&self) -> &'static str {
        self.circuit.as_ref().map_or("closed", Circuit::state)
    }

    /// Lets an attempt start, or not.
    pub(crate) fn admit(
        &self,
        now: Instant,
        environment: &impl Environment,
    ) -> Result<Permit<'_>, Refusal> {
        Permit::ask(self, now, environment)
    }

    /// How long the breaker lets nobody through, if it does not.
    pub(crate) fn open_for(&self, now: Instant) -> Option<Duration> {
        self.circuit.as_ref()?.open_for(self.clock.millis(now))
    }

    /// An attempt has ended; see [`Budget`] for what that changes.
    pub(crate) fn settle(
        &self,
        first: bool,
        outcome: Outcome,
        paid: u64,
        now: impl Fn() -> Instant,
    ) {
        self.retries.settle(first, outcome, paid, || self.clock.nanos(now()));
    }

    /// What a retry costs after such a failure.
    pub(crate) fn retry_cost(&self, class: Class, timed_out: bool) -> u64 {
        self.retries.cost(class, timed_out)
    }

    pub(crate) fn affords_retry(&self, cost: u64, now: Instant) -> bool {
        self.retries.affords(cost, self.clock.nanos(now))
    }

    pub(crate) fn take_retry(&self, cost: u64) -> Option<Token<'_>> {
        self.retries.take(cost)
    }
}

/// What `downstream = ...` accepts: a [`Downstream`], or something that points to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a downstream, so nothing says whose retry budget pays",
    label = "expected a `Downstream`, or a reference or an `Arc` of one",
    note = "make one for each dependency: `static PAYMENTS: Downstream = Downstream::new(\"payments\");`"
)]
pub trait AsDownstream {
    /// The downstream itself.
    fn as_downstream(&self) -> &Downstream;
}

impl AsDownstream for Downstream {
    fn as_downstream(&self) -> &Downstream {
        self
    }
}

impl<D: AsDownstream + ?Sized> AsDownstream for &D {
    fn as_downstream(&self) -> &Downstream {
        (**self).as_downstream()
    }
}

impl<D: AsDownstream + ?Sized> AsDownstream for Arc<D> {
    fn as_downstream(&self) -> &Downstream {
        (**self).as_downstream()
    }
}

impl<D: AsDownstream + ?Sized> AsDownstream for Box<D> {
    fn as_downstream(&self) -> &Downstream {
        (**self).as_downstream()
    }
}
