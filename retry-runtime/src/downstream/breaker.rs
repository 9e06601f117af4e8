//! When a downstream is left alone, for how long, and how traffic comes back.

use crate::policy::text::{Text, error_in_words};
use std::time::Duration;

/// The settings of a circuit breaker.
///
/// A closed breaker lets calls through. It opens on so many failures in a row, or on a share of
/// failures, and calls then end at once with [`Reason::CircuitOpen`](crate::Reason::CircuitOpen).
/// When the open time is over it is half-open: a few probes go through. When they succeed it is
/// recovering: traffic comes back by and by, by the slow-start formula of Envoy, from a tenth to all
/// of it, and then it is closed. A failed probe, or a failure while it recovers, opens it for twice
/// as long, up to a limit.
///
/// Only failures of the downstream count: those that may be tried again, and attempts that were cut
/// by their own timeout. A caller that goes away, an inherited deadline and permanent answers say
/// nothing against it.
///
/// | setting | default |
/// |---|---|
/// | [`within`](Self::within) | 20 s |
/// | [`minimum_calls`](Self::minimum_calls), for a share of failures | 20 |
/// | [`open_for`](Self::open_for) | 30 s, and up to a fifth more at random |
/// | [`max_open_for`](Self::max_open_for) | 5 minutes |
/// | [`probes`](Self::probes) | 1 |
/// | [`recover_over`](Self::recover_over) | 10 s |
///
/// ```
/// use std::time::Duration;
/// use retry_runtime::{Breaker, Downstream};
///
/// static PAYMENTS: Downstream = Downstream::new("payments")
///     .breaker(Breaker::consecutive(5).within(Duration::from_secs(20)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Breaker {
    pub(super) trip: Trip,
    pub(super) within: Duration,
    pub(super) open_for: Duration,
    pub(super) open_jitter: f64,
    pub(super) max_open_for: Duration,
    pub(super) probes: u32,
    pub(super) recover_over: Duration,
}

/// What opens a closed breaker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trip {
    Consecutive(u32),
    Ratio { ratio: f64, minimum: u32 },
}

/// Why a breaker is refused.
#[derive(Clone, Copy, PartialEq)]
pub struct BreakerError {
    breaker: Breaker,
    rule: Rule,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    ThresholdZero,
    Ratio,
    MinimumZero,
    WithinZero,
    OpenForZero,
    OpenJitter,
    MaxBelowOpenFor,
    ProbesZero,
    TooManyProbes,
}

/// More probes than that are no probes, and would not fit the state.
const MOST_PROBES: u32 = 1_000;

impl Breaker {
    /// Opens on so many failures in a row.
    pub const fn consecutive(failures: u32) -> Self {
        Self::new(Trip::Consecutive(failures))
    }

    /// Opens when this share of the calls fails, in `(0, 1]`.
    pub const fn failure_ratio(ratio: f64) -> Self {
        Self::new(Trip::Ratio { ratio, minimum: 20 })
    }

    const fn new(trip: Trip) -> Self {
        Self {
            trip,
            within: Duration::from_secs(20),
            open_for: Duration::from_secs(30),
            open_jitter: 0.2,
            max_open_for: Duration::from_secs(300),
            probes: 1,
            recover_over: Duration::from_secs(10),
        }
    }

    /// How long failures are remembered: those in a row lie within this, and a share is of this long.
    pub const fn within(mut self, within: Duration) -> Self {
        self.within = within;
        self
    }

    /// How many calls a share of failures needs before it says anything.
    pub const fn minimum_calls(mut self, calls: u32) -> Self {
        if let Trip::Ratio { ratio, .. } = self.trip {
            self.trip = Trip::Ratio { ratio, minimum: calls };
        }
        self
    }

    /// How long it is open the first time, at least.
    pub const fn open_for(mut self, open_for: Duration) -> Self {
        self.open_for = open_for;
        self
    }

    /// How much longer than that it is open at most, as a fraction, so that many breakers that
    /// opened together do not probe together.
    pub const fn open_jitter(mut self, fraction: f64) -> Self {
        self.open_jitter = fraction;
        self
    }

    /// How long it is open at most, without the jitter, when it opens again and again.
    pub const fn max_open_for(mut self, max_open_for: Duration) -> Self {
        self.max_open_for = max_open_for;
        self
    }

    /// How many calls have to succeed, side by side at most, before it recovers.
    pub const fn probes(mut self, probes: u32) -> Self {
        self.probes = probes;
        self
    }

    /// How long traffic takes to come back; zero for all of it at once.
    pub const fn recover_over(mut self, recover_over: Duration) -> Self {
        self.recover_over = recover_over;
        self
    }

    /// Judges the settings.
    ///
    /// # Errors
    ///
    /// [`BreakerError`], which names the first setting that is refused.
    pub const fn check(&self) -> Result<(), BreakerError> {
        let rule = match self.trip {
            Trip::Consecutive(0) => Some(Rule::ThresholdZero),
            Trip::Ratio { ratio, .. } if !(ratio > 0.0 && ratio <= 1.0) => Some(Rule::Ratio),
            Trip::Ratio { minimum: 0, .. } => Some(Rule::MinimumZero),
            _ => self.broken_time(),
        };
        match rule {
            Some(rule) => Err(BreakerError { breaker: *self, rule }),
            None => Ok(()),
        }
    }

    const fn broken_time(&self) -> Option<Rule> {
        if self.within.is_zero() {
            Some(Rule::WithinZero)
        } else if self.open_for.is_zero() {
            Some(Rule::OpenForZero)
        } else if !(self.open_jitter >= 0.0 && self.open_jitter <= 1.0) {
            Some(Rule::OpenJitter)
        } else if self.max_open_for.as_nanos() < self.open_for.as_nanos() {
            Some(Rule::MaxBelowOpenFor)
        } else if self.probes == 0 {
            Some(Rule::ProbesZero)
        } else if self.probes > MOST_PROBES {
            Some(Rule::TooManyProbes)
        } else {
            None
        }
    }
}

impl BreakerError {
    pub(crate) const fn text(&self) -> Text {
        let Breaker { open_for, open_jitter, max_open_for, probes, .. } = self.breaker;
        let text = Text::new();
        match self.rule {
            Rule::ThresholdZero => text.push(
                "the breaker opens after 0 failures, so it would never be closed: write at least 1",
            ),
            Rule::Ratio => {
                let ratio = match self.breaker.trip {
                    Trip::Ratio { ratio, .. } => ratio,
                    Trip::Consecutive(_) => 0.0,
                };
                text.push("the breaker opens at a `failure_ratio` of ").float(ratio).push(
                    ", which is no share of the calls: write a number above 0 and up to 1, such as 0.5",
                )
            }
            Rule::MinimumZero => text.push(
                "the breaker has `minimum_calls` 0, so a single failure would open it: write at least 1",
            ),
            Rule::WithinZero => text.push(
                "the breaker remembers failures `within` 0 ms, so it would never open: write a time \
                 longer than an attempt may last",
            ),
            Rule::OpenForZero => text.push(
                "the breaker is open for 0 ms, so it would protect nothing: write an `open_for` in \
                 which the downstream can recover, such as 30 s",
            ),
            Rule::OpenJitter => text.push("the breaker has an `open_jitter` of ").float(open_jitter).push(
                ", but it is a fraction of the open time: write a number from 0 to 1, such as 0.2",
            ),
            Rule::MaxBelowOpenFor => text
                .push("the breaker has a `max_open_for` of ")
                .duration(max_open_for)
                .push(" below its `open_for` of ")
                .duration(open_for)
                .push(", so that no open time is both: write at least ")
                .duration(open_for),
            Rule::ProbesZero => text.push(
                "the breaker has 0 `probes`, so it would never close again: write at least 1",
            ),
            Rule::TooManyProbes => text.push("the breaker has ").number(probes as u128).push(
                " `probes`, which is no probing: write at most 1000, and let `recover_over` bring \
                 the rest back",
            ),
        }
    }
}

error_in_words!(BreakerError);
