//! One dependency, and the state that all calls to it share.

mod budget;
mod ledger;

pub use budget::{Budget, BudgetError};
pub(crate) use ledger::Token;

use ledger::Ledger;
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
    retries: Ledger,
}

impl Downstream {
    /// A dependency with the default budget, [`Budget::DEFAULT`].
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, retries: Ledger::new(Budget::DEFAULT) }
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

    pub(crate) fn deposit_for_retries(&self) {
        self.retries.deposit();
    }

    pub(crate) fn has_retry_token(&self, now: Instant) -> bool {
        self.retries.has_token(now)
    }

    pub(crate) fn take_retry_token(&self) -> Option<Token<'_>> {
        self.retries.take()
    }
}
