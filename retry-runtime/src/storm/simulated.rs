//! Time and chance of a simulation: an instant that it sets, and numbers that its seed fixes.

use crate::environment::Environment;
use rand::SeedableRng;
use rand::rand_core::Rng;
use rand::rngs::Xoshiro256PlusPlus;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use tokio::time::Instant;

/// An instant of a simulation: nanoseconds since it began.
pub(super) type Moment = u64;

/// It never comes.
pub(super) const NEVER: Moment = Moment::MAX;

/// The clock and the generator of one simulation.
///
/// The generator is one whose numbers are promised to stay the same from release to release, so
/// that a seed that somebody wrote down keeps its meaning.
#[derive(Debug)]
pub(super) struct Simulated {
    base: Instant,
    now: Cell<Moment>,
    generator: RefCell<Xoshiro256PlusPlus>,
}

impl Simulated {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            // Any instant would do: nothing in a call looks at more than differences.
            base: Instant::now(),
            now: Cell::new(0),
            generator: RefCell::new(Xoshiro256PlusPlus::seed_from_u64(seed)),
        }
    }

    pub(super) fn moment(&self) -> Moment {
        self.now.get()
    }

    pub(super) fn move_to(&self, moment: Moment) {
        self.now.set(moment);
    }

    /// The moment at which this instant comes.
    pub(super) fn moment_of(&self, instant: Instant) -> Moment {
        let passed = instant.saturating_duration_since(self.base);
        Moment::try_from(passed.as_nanos()).unwrap_or(NEVER)
    }

    /// An evenly distributed number in `[0, 1)`.
    pub(super) fn fraction(&self) -> f64 {
        const BITS: u32 = f64::MANTISSA_DIGITS;
        #[expect(clippy::cast_precision_loss, reason = "as many bits as the mantissa holds")]
        let (drawn, all) = ((self.draw() >> (u64::BITS - BITS)) as f64, (1_u64 << BITS) as f64);
        drawn / all
    }

    /// An evenly distributed number below `bound`.
    pub(super) fn below(&self, bound: u32) -> u32 {
        let scaled = (u128::from(self.draw()) * u128::from(bound)) >> u64::BITS;
        #[expect(clippy::cast_possible_truncation, reason = "the product was below 2^64 * bound")]
        let below = scaled as u32;
        below
    }

    /// A time that is distributed normally, as nearly as the sum of twelve even ones is: it is never
    /// further from `mean` than six times the deviation, and never negative.
    pub(super) fn normal(&self, mean: Duration, deviation: Duration) -> Duration {
        let sum: f64 = (0..12).map(|_| self.fraction()).sum();
        let seconds = mean.as_secs_f64() + deviation.as_secs_f64() * (sum - 6.0);
        Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
    }

    /// A time that is distributed exponentially around `mean`.
    pub(super) fn exponential(&self, mean: Duration) -> Duration {
        let seconds = mean.as_secs_f64() * -(1.0 - self.fraction()).ln();
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

impl Environment for Simulated {
    fn now(&self) -> Instant {
        self.base + Duration::from_nanos(self.now.get())
    }

    fn draw(&self) -> u64 {
        self.generator.borrow_mut().next_u64()
    }
}
