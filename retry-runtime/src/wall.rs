//! The wall clock: the one place that reads it.
//!
//! Everything that runs goes by tokio's monotonic clock. Dates come from other machines, and times
//! that outlive this process have to be dates: both are turned into instants and back here.

use std::time::{Duration, SystemTime};
#[cfg(feature = "serde")]
use tokio::time::Instant;

/// From now to this date; zero if it is past.
pub(crate) fn until(date: SystemTime) -> Duration {
    date.duration_since(SystemTime::now()).unwrap_or_default()
}

/// The date of an instant; none if no clock can show it.
#[cfg(feature = "serde")]
pub(crate) fn date_of(instant: Instant) -> Option<SystemTime> {
    let now = Instant::now();
    match instant.checked_duration_since(now) {
        Some(left) => SystemTime::now().checked_add(left),
        None => SystemTime::now().checked_sub(now.saturating_duration_since(instant)),
    }
}
