//! When calls begin, and whose they are.

use super::simulated::{Moment, Simulated};
use crate::backoff::nanos;
use std::time::Duration;

/// When the calls of a storm begin.
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::storm::Arrivals;
///
/// let group = Arrivals::at_once(); // one call of each client, all at the same instant
/// let steady = Arrivals::constant(500.0, Duration::from_secs(60)); // one every 2 ms for a minute
/// assert_ne!(group, steady);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Arrivals(pub(super) Pattern);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pattern {
    AtOnce,
    Constant { per_second: f64, over: Duration },
    Poisson { per_second: f64, over: Duration },
}

impl Arrivals {
    /// Each client makes one call, all at the instant at which the simulation begins.
    pub const fn at_once() -> Self {
        Self(Pattern::AtOnce)
    }

    /// So many calls per second of all clients together, evenly spaced, for so long; the clients
    /// take turns.
    pub const fn constant(per_second: f64, over: Duration) -> Self {
        Self(Pattern::Constant { per_second, over })
    }

    /// So many calls per second of all clients together on average, each independent of the others
    /// and of a client that is drawn, for so long.
    pub const fn poisson(per_second: f64, over: Duration) -> Self {
        Self(Pattern::Poisson { per_second, over })
    }

    /// Whether there is a rate, and it is one.
    pub(super) fn is_sound(self) -> bool {
        match self.0 {
            Pattern::AtOnce => true,
            Pattern::Constant { per_second, .. } | Pattern::Poisson { per_second, .. } => {
                per_second > 0.0 && per_second.is_finite()
            }
        }
    }
}

/// The calls that are still to begin.
#[derive(Debug)]
pub(super) struct Schedule {
    arrivals: Arrivals,
    clients: u32,
    begun: u64,
    last: Moment,
}

/// A call that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) at: Moment,
    pub(super) client: u32,
}

impl Schedule {
    pub(super) fn new(arrivals: Arrivals, clients: u32) -> Self {
        Self { arrivals, clients, begun: 0, last: 0 }
    }

    /// How many calls there will be, on average.
    pub(super) fn expected(&self) -> f64 {
        match self.arrivals.0 {
            Pattern::AtOnce => f64::from(self.clients),
            Pattern::Constant { per_second, over } | Pattern::Poisson { per_second, over } => {
                per_second * over.as_secs_f64()
            }
        }
    }

    /// How many calls begin at the same instant.
    pub(super) fn together(&self) -> usize {
        match self.arrivals.0 {
            Pattern::AtOnce => self.clients as usize,
            Pattern::Constant { .. } | Pattern::Poisson { .. } => 0,
        }
    }

    /// The next call, or none when all have begun.
    pub(super) fn next(&mut self, environment: &Simulated) -> Option<Arrival> {
        let (at, over, client) = match self.arrivals.0 {
            Pattern::AtOnce => {
                // No turn comes twice.
                let client = u32::try_from(self.begun).ok().filter(|next| *next < self.clients)?;
                (0, 1, client)
            }
            Pattern::Constant { per_second, over } => {
                #[expect(clippy::cast_precision_loss, reason = "exact below 2^53 calls")]
                let seconds = self.begun as f64 / per_second;
                let at = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
                #[expect(clippy::cast_possible_truncation, reason = "below the number of clients")]
                let client = (self.begun % u64::from(self.clients)) as u32;
                (nanos(at), nanos(over), client)
            }
            Pattern::Poisson { per_second, over } => {
                let mean = Duration::try_from_secs_f64(per_second.recip());
                let gap = environment.exponential(mean.unwrap_or(Duration::MAX));
                let at = self.last.saturating_add(nanos(gap));
                (at, nanos(over), environment.below(self.clients))
            }
        };
        self.begun += 1;
        self.last = at;
        (at < over).then_some(Arrival { at, client })
    }
}
