//! What retries may cost: a fraction of the calls, and a small reserve.
//!
//! Backoff and jitter spread retries out; only a budget makes them fewer. While a downstream fails,
//! every call wants to be repeated, and a limit on attempts then multiplies the load by that limit.
//! A budget that is a fraction of the calls bounds the load at `1 + ratio`, however high the limit.
//! The form follows Finagle's `RetryBudget`: calls deposit, retries withdraw, and a few retries per
//! second are free so that rarely used downstreams are not left without.

use crate::policy::text::Text;
use std::fmt;

/// How many retries the calls of one downstream may spend.
///
/// Each call deposits `ratio` tokens when its first attempt has ended; each retry costs one token.
/// `per_second` tokens come in addition every second, and one second's worth is there from the
/// start. No more is kept than ten seconds of the reserve, and at least 100 tokens.
///
/// ```
/// use retry_runtime::{Budget, Downstream};
///
/// static SEARCH: Downstream = Downstream::new("search").budget(Budget::ratio(0.2).per_second(10));
/// assert_eq!(SEARCH.retry_tokens(), 10.0); // the reserve of one second
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Budget {
    ratio: f64,
    per_second: u32,
}

/// One token in the smallest unit that is counted, so that a ratio of 0.51 is exactly 0.51.
pub(super) const TOKEN: u64 = 1_000_000;

/// How many seconds of the reserve are kept.
const KEPT_SECONDS: u64 = 10;
const LEAST_CAPACITY: u64 = 100 * TOKEN;

/// Why a budget is refused.
#[derive(Clone, Copy, PartialEq)]
pub struct BudgetError {
    ratio: f64,
}

impl Budget {
    /// 20 % of the calls and 10 retries per second, as Finagle and Linkerd have it.
    pub const DEFAULT: Self = Self::ratio(0.2).per_second(10);

    /// Retries for this fraction of the calls, in `(0, 1]`, and no reserve.
    ///
    /// A ratio outside is refused by [`check`](Self::check), and so by every downstream.
    pub const fn ratio(ratio: f64) -> Self {
        Self { ratio, per_second: 0 }
    }

    /// The same with a reserve of this many retries per second.
    pub const fn per_second(mut self, retries: u32) -> Self {
        self.per_second = retries;
        self
    }

    /// Judges the ratio.
    ///
    /// # Errors
    ///
    /// [`BudgetError`] when the ratio is not in `(0, 1]`, or so small that nothing would be earned.
    pub const fn check(&self) -> Result<(), BudgetError> {
        if self.ratio <= 1.0 && self.deposit() > 0 {
            Ok(())
        } else {
            Err(BudgetError { ratio: self.ratio })
        }
    }

    /// What a call earns, in millionths of a token.
    pub(super) const fn deposit(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "`as` saturates and maps NaN to 0, and what does not fit is refused"
        )]
        let deposit = (self.ratio * TOKEN as f64 + 0.5) as u64;
        deposit
    }

    /// What a second brings, in millionths of a token.
    pub(super) const fn reserve(&self) -> u64 {
        self.per_second as u64 * TOKEN
    }

    pub(super) const fn capacity(&self) -> u64 {
        let kept = self.reserve() * KEPT_SECONDS;
        if kept > LEAST_CAPACITY { kept } else { LEAST_CAPACITY }
    }
}

impl BudgetError {
    pub(crate) const fn text(self) -> Text {
        Text::new().push("the retry budget has a `ratio` of ").float(self.ratio).push(
            ", but retries have to be a fraction of the calls or failing calls would multiply: \
                 write a number above 0 and up to 1, such as 0.2",
        )
    }
}

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl fmt::Debug for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BudgetError").field(&self.text().as_str()).finish()
    }
}

impl std::error::Error for BudgetError {}
