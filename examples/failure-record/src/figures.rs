//! The numbers of a record, each with a name and in words.

use crate::anatomy::{Anatomy, Side};
use crate::table::Table;
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// A number that a record tells.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// In JSON.
    pub key: &'static str,
    /// In words.
    pub name: &'static str,
    /// The number itself.
    pub of: fn(&Side) -> Value,
}

/// All of them, in the order in which they are shown.
pub const FIGURES: [Figure; 11] = [
    Figure {
        key: "attempt_timeout_ms",
        name: "attempt timeout: twice p99, at least 20 ms",
        of: |side| Value::Time(side.record.attempt_timeout()),
    },
    Figure {
        key: "theoretical_amplification",
        name: "leaf calls of one request in theory: attempts ^ layers",
        of: |side| Value::Count(side.record.theoretical_amplification()),
    },
    Figure {
        key: "tree",
        name: "attempts that this fault makes of one request, layer by layer",
        of: |side| Value::List(side.one_request.attempts.clone()),
    },
    Figure {
        key: "leaf_calls_of_one_request",
        name: "leaf calls of one request, no budget",
        of: |side| Value::Count(side.one_request.sends),
    },
    Figure {
        key: "leaf_calls",
        name: "leaf calls of the group",
        of: |side| Value::Count(side.group.sends),
    },
    Figure {
        key: "budget_cap",
        name: "the most that the budget lets the group send",
        of: |side| side.record.budget_cap().map_or(Value::None, Value::Count),
    },
    Figure {
        key: "retries_stopped",
        name: "retries that the budget stopped",
        of: |side| Value::Count(side.group.retries_stopped),
    },
    Figure {
        key: "peak_retries",
        name: "most retries within 10 ms",
        of: |side| Value::Count(side.group.peak_retries),
    },
    Figure {
        key: "recovery_tail",
        name: "recovery tail: retries that land when the fault is over",
        of: |side| Value::Count(side.group.recovery_tail),
    },
    Figure {
        key: "successes",
        name: "requests that succeed",
        of: |side| Value::Count(side.group.successes),
    },
    Figure {
        key: "held_in_flight",
        name: "in flight at once if the leaf were silent, a group each second",
        of: |side| Value::Real(side.held_in_flight()),
    },
];

/// What a figure is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// How many.
    Count(u64),
    /// How many, on average.
    Real(f64),
    /// How long.
    Time(Duration),
    /// How many of each, from the outside in.
    List(Vec<u64>),
    /// There is none.
    None,
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Real(number) => write!(f, "{number:.1}"),
            Self::Time(time) => write!(f, "{} ms", time.as_secs_f64() * 1e3),
            Self::List(counts) => {
                let counts: Vec<_> = counts.iter().map(u64::to_string).collect();
                f.write_str(&counts.join(", "))
            }
            Self::None => f.write_str("none"),
        }
    }
}

/// A time is a number of milliseconds, as the keys say.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Count(count) => count.serialize(serializer),
            Self::Real(number) => number.serialize(serializer),
            Self::Time(time) => (time.as_secs_f64() * 1e3).serialize(serializer),
            Self::List(counts) => counts.serialize(serializer),
            Self::None => serializer.serialize_none(),
        }
    }
}

impl Anatomy {
    /// The figures of both sides, beside each other.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(["", "this record", "lockstep, no budget"]);
        for Figure { name, of, .. } in FIGURES {
            table.push([
                name.to_owned(),
                of(&self.chosen).to_string(),
                of(&self.lockstep).to_string(),
            ]);
        }
        table
    }
}
