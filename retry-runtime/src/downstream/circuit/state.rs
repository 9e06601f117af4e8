//! The states of a circuit breaker and the moves between them, as a pure function.

use super::super::breaker::Breaker;
use super::millis;
use crate::observe::BreakerState;

/// What one call says about the downstream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Success,
    Failure,
    /// The caller went away, or was never let through: nothing.
    Neutral,
}

/// Times are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Closed,
    Open { until: u64 },
    HalfOpen { running: u32, succeeded: u32 },
    Recovering { since: u64 },
}

/// The state, and a number that changes with it, so that late answers are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) generation: u32,
    pub(super) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// The call goes through, and this is the state from then on.
    Let { next: Word },
    /// It does not, and may ask again at this time.
    Refuse { until: u64 },
}

/// The share of traffic that a recovering downstream gets at first; of Envoy's slow start.
const FIRST_SHARE: f64 = 0.1;

const GENERATION_BITS: u32 = 24;
const TIME_BITS: u32 = 38;
const COUNT_BITS: u32 = 19;

impl State {
    pub(super) const fn shown(self) -> BreakerState {
        match self {
            Self::Closed => BreakerState::Closed,
            Self::Open { .. } => BreakerState::Open,
            Self::HalfOpen { .. } => BreakerState::HalfOpen,
            Self::Recovering { .. } => BreakerState::Recovering,
        }
    }
}

impl Word {
    pub(super) const CLOSED: Self = Self { generation: 0, state: State::Closed };

    const fn enter(self, state: State) -> Self {
        Self { generation: (self.generation + 1) & ((1 << GENERATION_BITS) - 1), state }
    }

    const fn stay(self, state: State) -> Self {
        Self { generation: self.generation, state }
    }

    /// A call asks to be let through.
    pub(super) fn admit(self, breaker: &Breaker, now: u64, draw: u64) -> Admission {
        let next = match self.state {
            State::Closed => self,
            State::Open { until } if now < until => return Admission::Refuse { until },
            State::Open { .. } => self.enter(State::HalfOpen { running: 1, succeeded: 0 }),
            State::HalfOpen { running, succeeded } => {
                if running + succeeded >= breaker.probes {
                    return Admission::Refuse { until: now };
                }
                self.stay(State::HalfOpen { running: running + 1, succeeded })
            }
            State::Recovering { since } => {
                let window = millis(breaker.recover_over);
                let passed = now.saturating_sub(since);
                if passed >= window {
                    self.enter(State::Closed)
                } else if is_admitted(passed, window, draw) {
                    self
                } else {
                    return Admission::Refuse { until: since + window };
                }
            }
        };
        Admission::Let { next }
    }

    /// A call that was let through in this state has ended, and a closed breaker trips on it.
    pub(super) fn after(
        self,
        breaker: &Breaker,
        verdict: Verdict,
        now: u64,
        open_until: u64,
    ) -> Self {
        match (self.state, verdict) {
            (State::Closed, _) => self.enter(State::Open { until: open_until }),
            (State::HalfOpen { .. } | State::Recovering { .. }, Verdict::Failure) => {
                self.enter(State::Open { until: open_until })
            }
            (State::HalfOpen { running, succeeded }, Verdict::Success) => {
                let (running, succeeded) = (running.saturating_sub(1), succeeded + 1);
                if succeeded < breaker.probes {
                    self.stay(State::HalfOpen { running, succeeded })
                } else if breaker.recover_over.is_zero() {
                    self.enter(State::Closed)
                } else {
                    self.enter(State::Recovering { since: now })
                }
            }
            (State::HalfOpen { running, succeeded }, Verdict::Neutral) => {
                self.stay(State::HalfOpen { running: running.saturating_sub(1), succeeded })
            }
            _ => self,
        }
    }

    #[inline]
    pub(super) const fn pack(self) -> u64 {
        let time = (1 << TIME_BITS) - 1;
        let (kind, payload) = match self.state {
            State::Closed => (0, 0),
            State::Open { until } => (1, until & time),
            State::HalfOpen { running, succeeded } => {
                (2, ((running as u64) << COUNT_BITS) | succeeded as u64)
            }
            State::Recovering { since } => (3, since & time),
        };
        (kind << (GENERATION_BITS + TIME_BITS)) | ((self.generation as u64) << TIME_BITS) | payload
    }

    #[inline]
    pub(super) const fn is_closed(packed: u64) -> bool {
        packed >> (GENERATION_BITS + TIME_BITS) == 0
    }

    #[inline]
    pub(super) const fn generation_of(packed: u64) -> u32 {
        ((packed >> TIME_BITS) & ((1 << GENERATION_BITS) - 1)) as u32
    }

    #[inline]
    pub(super) const fn unpack(packed: u64) -> Self {
        let payload = packed & ((1 << TIME_BITS) - 1);
        let generation = Self::generation_of(packed);
        let state = match packed >> (GENERATION_BITS + TIME_BITS) {
            0 => State::Closed,
            1 => State::Open { until: payload },
            2 => State::HalfOpen {
                running: (payload >> COUNT_BITS) as u32,
                succeeded: (payload & ((1 << COUNT_BITS) - 1)) as u32,
            },
            _ => State::Recovering { since: payload },
        };
        Self { generation, state }
    }
}

/// `max(0.1, passed / window)` of the calls, as Envoy's slow start has it with an aggression of 1.
#[expect(clippy::cast_precision_loss, reason = "a share, not a count")]
fn is_admitted(passed: u64, window: u64, draw: u64) -> bool {
    let share = (passed as f64 / window as f64).max(FIRST_SHARE);
    (draw as f64 / u64::MAX as f64) < share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_survives_packing() {
        for state in [
            State::Closed,
            State::Open { until: (1 << TIME_BITS) - 1 },
            State::HalfOpen { running: 1_000, succeeded: 999 },
            State::Recovering { since: 123_456_789 },
        ] {
            for generation in [0, 1, (1 << GENERATION_BITS) - 1] {
                let word = Word { generation, state };
                assert_eq!(Word::unpack(word.pack()), word);
            }
        }
    }

    #[test]
    fn the_generation_wraps_into_its_bits() {
        let last = Word { generation: (1 << GENERATION_BITS) - 1, state: State::Closed };
        assert_eq!(last.enter(State::Closed).generation, 0);
    }
}
