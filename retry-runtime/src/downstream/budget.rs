//! What retries may cost: a fraction of the calls, and a small reserve.
//!
//! Backoff and jitter spread retries out; only a budget makes them fewer. While a downstream fails,
//! every call wants to be repeated, and a limit on attempts then multiplies the load by that limit.
//! A budget that is a fraction of the calls bounds the load at `1 + ratio`, however high the limit.
//!
//! There are three laws. The default follows Finagle's `RetryBudget`: calls deposit, retries
//! withdraw, and a few retries per second are free so that rarely used downstreams are not left
//! without. [`Budget::throttle`] is gRPC's, from its proposal A6. [`Budget::costs`] is that of the
//! AWS SDKs.

use crate::classify::Class;
use crate::policy::text::{Text, error_in_words};

/// How many retries the calls of one downstream may spend.
///
/// Each call deposits `ratio` tokens when its first attempt has ended; each retry costs one token.
/// `per_second` tokens come in addition every second, and one second's worth is there from the
/// start. No more is kept than ten seconds of the reserve, and at least 100 tokens. What calls have
/// earned expires when no call has added to it for ten seconds; the reserve does not.
///
/// ```
/// use retry_runtime::{Budget, Downstream};
///
/// static SEARCH: Downstream = Downstream::new("search").budget(Budget::ratio(0.2).per_second(10));
/// assert_eq!(SEARCH.retry_tokens(), 10.0); // the reserve of one second
///
/// static FEED: Downstream = Downstream::new("feed").budget(Budget::throttle(10, 0.5));
/// static BUCKET: Downstream = Downstream::new("bucket").budget(Budget::costs(500));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Budget(Law);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Share { ratio: f64, per_second: u32 },
    Throttle { max_tokens: u32, per_success: f64 },
    Costs { capacity: u32, retry: u32, timeout: u32, throttled: u32 },
}

/// How one attempt ended, as far as a budget cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Success,
    /// It may be tried again.
    Failure,
    /// It may not: an answer, if not a good one.
    Answer,
}

/// What made a retry necessary, which is what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Failure,
    Timeout,
    Throttled,
}

impl Cause {
    #[inline]
    pub(crate) const fn of(class: Class, timed_out: bool) -> Self {
        if timed_out {
            Self::Timeout
        } else if class.is_throttled() {
            Self::Throttled
        } else {
            Self::Failure
        }
    }
}

/// One token in the smallest unit that is counted, so that a ratio of 0.51 is exactly 0.51.
pub(super) const TOKEN: u64 = 1_000_000;

/// How many seconds of the reserve are kept.
const KEPT_SECONDS: u64 = 10;
const LEAST_CAPACITY: u64 = 100 * TOKEN;

/// gRPC's proposal A6 allows no more.
const MOST_THROTTLE_TOKENS: u32 = 1_000;

/// Why a budget is refused.
#[derive(Clone, Copy, PartialEq)]
pub struct BudgetError(Law);

impl Budget {
    /// 20 % of the calls and 10 retries per second, as Finagle and Linkerd have it.
    pub const DEFAULT: Self = Self::ratio(0.2).per_second(10);

    /// Retries for this fraction of the calls, in `(0, 1]`, and no reserve.
    ///
    /// A ratio outside is refused by [`check`](Self::check), and so by every downstream.
    pub const fn ratio(ratio: f64) -> Self {
        Self(Law::Share { ratio, per_second: 0 })
    }

    /// The same with a reserve of this many retries per second; of the law of [`ratio`](Self::ratio)
    /// only.
    pub const fn per_second(self, retries: u32) -> Self {
        match self.0 {
            Law::Share { ratio, .. } => Self(Law::Share { ratio, per_second: retries }),
            _ => self,
        }
    }

    /// gRPC's law: a failure takes one of `max_tokens`, from 1 to 1000, a success brings
    /// `per_success` back, and retries stop while no more than half of the tokens are left.
    pub const fn throttle(max_tokens: u32, per_success: f64) -> Self {
        Self(Law::Throttle { max_tokens, per_success })
    }

    /// The law of the AWS SDKs' standard mode: a retry costs 5 of `capacity` tokens, 10 after a
    /// timeout; a success brings the last cost back, or one token if it needed no retry.
    ///
    /// [`retry_cost`](Self::retry_cost), [`timeout_cost`](Self::timeout_cost) and
    /// [`throttled_cost`](Self::throttled_cost) change the costs.
    pub const fn costs(capacity: u32) -> Self {
        Self(Law::Costs { capacity, retry: 5, timeout: 10, throttled: 5 })
    }

    /// What a retry costs; of the law of [`costs`](Self::costs) only.
    pub const fn retry_cost(self, tokens: u32) -> Self {
        match self.0 {
            Law::Costs { capacity, timeout, throttled, .. } => {
                Self(Law::Costs { capacity, retry: tokens, timeout, throttled })
            }
            _ => self,
        }
    }

    /// What a retry costs after an attempt that timed out; of the law of [`costs`](Self::costs) only.
    pub const fn timeout_cost(self, tokens: u32) -> Self {
        match self.0 {
            Law::Costs { capacity, retry, throttled, .. } => {
                Self(Law::Costs { capacity, retry, timeout: tokens, throttled })
            }
            _ => self,
        }
    }

    /// What a retry costs after an attempt that was throttled; of the law of [`costs`](Self::costs)
    /// only.
    pub const fn throttled_cost(self, tokens: u32) -> Self {
        match self.0 {
            Law::Costs { capacity, retry, timeout, .. } => {
                Self(Law::Costs { capacity, retry, timeout, throttled: tokens })
            }
            _ => self,
        }
    }

    /// Judges the numbers.
    ///
    /// # Errors
    ///
    /// [`BudgetError`] when the ratio is not in `(0, 1]`, the tokens are out of range, or a cost is
    /// zero or beyond the capacity.
    pub const fn check(&self) -> Result<(), BudgetError> {
        let sound = match self.0 {
            Law::Share { ratio, .. } => ratio <= 1.0 && millionths(ratio) > 0,
            Law::Throttle { max_tokens, per_success } => {
                max_tokens > 0
                    && max_tokens <= MOST_THROTTLE_TOKENS
                    && per_success <= max_tokens as f64
                    && millionths(per_success) > 0
            }
            Law::Costs { capacity, retry, timeout, throttled } => {
                is_cost(retry, capacity)
                    && is_cost(timeout, capacity)
                    && is_cost(throttled, capacity)
            }
        };
        if sound { Ok(()) } else { Err(BudgetError(self.0)) }
    }

    /// What is there from the start.
    #[inline]
    pub(super) const fn initial(&self) -> u64 {
        match self.0 {
            Law::Share { .. } => self.reserve(),
            Law::Throttle { .. } | Law::Costs { .. } => self.capacity(),
        }
    }

    /// What a second brings.
    #[inline]
    pub(super) const fn reserve(&self) -> u64 {
        match self.0 {
            Law::Share { per_second, .. } => per_second as u64 * TOKEN,
            Law::Throttle { .. } | Law::Costs { .. } => 0,
        }
    }

    #[inline]
    pub(super) const fn capacity(&self) -> u64 {
        match self.0 {
            Law::Share { .. } => {
                let kept = self.reserve() * KEPT_SECONDS;
                if kept > LEAST_CAPACITY { kept } else { LEAST_CAPACITY }
            }
            Law::Throttle { max_tokens, .. } => max_tokens as u64 * TOKEN,
            Law::Costs { capacity, .. } => capacity as u64 * TOKEN,
        }
    }

    /// Whether what nobody adds to expires.
    #[inline]
    pub(super) const fn expires(&self) -> bool {
        matches!(self.0, Law::Share { .. })
    }

    /// What the end of an attempt adds, and what it takes. `first` is the first attempt of a call
    /// that is not itself a retry; `paid` is what the attempt was paid for, if it is a retry.
    #[inline]
    pub(super) const fn settle(
        &self,
        first: bool,
        outcome: Outcome,
        paid: Option<Cause>,
    ) -> (u64, u64) {
        match (self.0, outcome) {
            (Law::Share { ratio, .. }, _) if first => (millionths(ratio), 0),
            (Law::Throttle { per_success, .. }, Outcome::Success) => (millionths(per_success), 0),
            (Law::Throttle { .. }, Outcome::Failure) => (0, TOKEN),
            (Law::Costs { .. }, Outcome::Success) => match paid {
                Some(cause) => (self.cost(cause), 0),
                None => (TOKEN, 0),
            },
            _ => (0, 0),
        }
    }

    /// What a retry costs.
    #[inline]
    pub(super) const fn cost(&self, cause: Cause) -> u64 {
        match self.0 {
            Law::Share { .. } => TOKEN,
            Law::Throttle { .. } => 0,
            Law::Costs { retry, timeout, throttled, .. } => {
                let tokens = match cause {
                    Cause::Failure => retry,
                    Cause::Timeout => timeout,
                    Cause::Throttled => throttled,
                };
                tokens as u64 * TOKEN
            }
        }
    }

    /// What has to be there for a retry of this cost.
    #[inline]
    pub(super) const fn least(&self, cost: u64) -> u64 {
        match self.0 {
            Law::Throttle { .. } => self.capacity() / 2 + 1,
            Law::Share { .. } | Law::Costs { .. } => cost,
        }
    }
}

const fn is_cost(cost: u32, capacity: u32) -> bool {
    cost > 0 && cost <= capacity
}

/// A number of tokens in millionths.
const fn millionths(tokens: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "`as` saturates and maps NaN to 0, and what does not fit is refused"
    )]
    let millionths = (tokens * TOKEN as f64 + 0.5) as u64;
    millionths
}

impl BudgetError {
    pub(crate) const fn text(self) -> Text {
        let text = Text::new();
        match self.0 {
            Law::Share { ratio, .. } => {
                text.push("the retry budget has a `ratio` of ").float(ratio).push(
                    ", but retries have to be a fraction of the calls or failing calls would \
                     multiply: write a number above 0 and up to 1, such as 0.2",
                )
            }
            Law::Throttle { max_tokens, per_success } => text
                .push("the retry budget throttles with ")
                .number(max_tokens as u128)
                .push(" tokens and ")
                .float(per_success)
                .push(
                    " for a success, which would stop nothing or everything: write 1 to 1000 tokens, \
                     and a part of one for a success, such as 0.1",
                ),
            Law::Costs { capacity, retry, timeout, throttled } => text
                .push("the retry budget of ")
                .number(capacity as u128)
                .push(" tokens takes ")
                .number(retry as u128)
                .push(", ")
                .number(timeout as u128)
                .push(" and ")
                .number(throttled as u128)
                .push(
                    " for a retry, one after a timeout and one after throttling, of which one is free \
                     or never affordable: write costs from 1 to the capacity",
                ),
        }
    }
}

error_in_words!(BudgetError);
