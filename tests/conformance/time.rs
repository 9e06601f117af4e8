//! Short names for durations.

use std::time::Duration;

pub const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

pub const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const DAY: Duration = secs(86_400);
