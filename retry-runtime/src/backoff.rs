//! How long to pause before a retry: a growing limit, and a draw below it.

use crate::time::Span;
use std::time::Duration;

/// How a delay is drawn below its limit.
///
/// Callers that fail together come back together unless their delays are drawn at random. The four
/// forms are those of the AWS architecture blog, "Exponential Backoff and Jitter" (2015).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Jitter {
    /// Anywhere in `[0, limit]`; spreads the most, and is the default.
    #[default]
    Full,
    /// Anywhere in `[limit / 2, limit]`; never retries at once.
    Equal,
    /// Anywhere in `[base, min(cap, 3 * previous delay)]`, the first time in `[base, min(cap, 3 * base)]`.
    ///
    /// The policy's multiplier has no part in it.
    Decorrelated,
    /// Always the limit itself; refused by [`Policy::check`](crate::Policy::check) unless allowed.
    None,
}

/// The rule that limits and draws delays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Backoff {
    pub(crate) base: Duration,
    pub(crate) cap: Duration,
    pub(crate) multiplier: f64,
    pub(crate) jitter: Jitter,
    /// Retries follow at once; `base` and `cap` are zero on purpose.
    pub(crate) immediate: bool,
}

/// The delays that may be drawn before one retry, both ends included, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) shortest: u64,
    pub(crate) limit: u64,
}

/// The growth of [`Jitter::Decorrelated`]'s limit, a constant of its definition.
const DECORRELATED_GROWTH: f64 = 3.0;

impl Backoff {
    pub(crate) const fn exponential(base: Duration, cap: Duration) -> Self {
        Self { base, cap, multiplier: 2.0, jitter: Jitter::Full, immediate: false }
    }

    pub(crate) const fn immediate() -> Self {
        let zero = Duration::ZERO;
        Self { base: zero, cap: zero, multiplier: 1.0, jitter: Jitter::None, immediate: true }
    }

    /// What may be drawn before `retry` (from 1) when the delay before it was `previous`; endless if
    /// there was none.
    #[inline]
    pub(crate) const fn range(&self, retry: u32, previous: Span) -> Range {
        let base = nanos(self.base);
        let limit = match self.jitter {
            Jitter::Decorrelated => {
                let from = if previous.is_endless() { base } else { previous.nanos() };
                self.grown(from, DECORRELATED_GROWTH, 1)
            }
            _ => self.grown(base, self.multiplier, retry.saturating_sub(1)),
        };
        Range { shortest: self.shortest(limit), limit }
    }

    /// The longest and the shortest that the delay before `retry` (from 1) can ever be.
    pub(crate) const fn extremes(&self, retry: u32) -> Range {
        let base = nanos(self.base);
        let limit = match self.jitter {
            Jitter::Decorrelated => self.grown(base, DECORRELATED_GROWTH, retry),
            _ => self.grown(base, self.multiplier, retry.saturating_sub(1)),
        };
        Range { shortest: self.shortest(limit), limit }
    }

    #[inline]
    const fn shortest(&self, limit: u64) -> u64 {
        match self.jitter {
            Jitter::Full => 0,
            Jitter::Equal => limit / 2,
            Jitter::Decorrelated => nanos(self.base),
            Jitter::None => limit,
        }
    }

    /// `min(cap, from * growth^exponent)`; the cap is applied to a float that may be infinite, so
    /// nothing overflows.
    #[inline]
    const fn grown(&self, from: u64, growth: f64, exponent: u32) -> u64 {
        let cap = nanos(self.cap);
        #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 ns, which is 104 days")]
        let raw = from as f64 * power(growth, exponent);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates, and the result is clipped to the cap"
        )]
        let raw = raw as u64;
        if raw < cap { raw } else { cap }
    }
}

impl Range {
    /// A delay, evenly distributed over the range for an evenly distributed `draw`.
    #[inline]
    pub(crate) const fn draw(self, draw: u64) -> u64 {
        let width = self.limit.saturating_sub(self.shortest) as u128 + 1;
        // The high half of a 64 by 64 bit product scales the draw to the width without bias that
        // matters: at most one part in 2^64 / width.
        let above = ((width * draw as u128) >> 64) as u64;
        self.shortest + above
    }
}

/// `growth` to the power of `exponent`, by squaring, so that attempt four billion costs 32 steps.
#[inline]
const fn power(growth: f64, mut exponent: u32) -> f64 {
    let mut square = growth;
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= square;
        }
        square *= square;
        exponent >>= 1;
    }
    result
}

/// Whole nanoseconds, saturated at 584 years.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "what is too long is told before")]
pub(crate) const fn nanos(duration: Duration) -> u64 {
    let nanos = duration.as_nanos();
    if nanos > u64::MAX as u128 { u64::MAX } else { nanos as u64 }
}
