//! What a record tells.

use crate::record::Record;
use crate::watch::{Parts, Watch};
use retry_runtime::storm::{Report, StormError};

/// A record taken apart, beside the same one in lockstep and without a budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Anatomy {
    /// The record as it is.
    pub chosen: Side,
    /// The same with waits that are not drawn, and nothing that limits retries but their number.
    pub lockstep: Side,
}

/// One record, simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// What it follows from.
    pub record: Record,
    /// The group in the fault.
    pub group: Report,
    /// One of its requests alone, which a budget that is a fraction of the calls would leave without
    /// a retry; so there is none here. It shows what the fault makes of one request.
    pub one_request: Report,
    /// A group every second before a leaf that does not answer at all, for one second.
    pub slow: Report,
}

/// How many simulations there are on each side.
const SIMULATIONS: usize = 3;

impl Anatomy {
    /// Takes a record apart.
    ///
    /// # Errors
    ///
    /// [`StormError::BrokenOff`] when `watch` breaks it off. A record that was read by
    /// [`Record::read`] has no other.
    pub fn of(record: &Record, mut watch: impl Watch) -> Result<Self, StormError> {
        let mut parts = Parts::new(2 * SIMULATIONS, &mut watch);
        let chosen = Side::of(record, &mut parts)?;
        let lockstep = Side::of(&record.lockstep(), &mut parts)?;
        Ok(Self { chosen, lockstep })
    }
}

impl Side {
    fn of(record: &Record, parts: &mut Parts<'_, impl Watch>) -> Result<Self, StormError> {
        let unlimited = Record { budget: None, ..*record };
        Ok(Self {
            record: *record,
            group: parts.run(&record.storm(), || record.downstream())?,
            one_request: parts.run(&unlimited.one_request(), || unlimited.downstream())?,
            slow: parts.run(&record.slow_storm(), || record.downstream())?,
        })
    }

    /// How many requests are in flight on average while the leaf does not answer, attempts and waits
    /// together: `rate x (attempts x timeout + waits)` where every request makes all its attempts.
    #[must_use]
    pub fn held_in_flight(&self) -> f64 {
        // As long as one second's calls take together, so many seconds' worth is there at once.
        self.slow.time_in_calls.as_secs_f64()
    }
}
