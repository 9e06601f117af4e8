//! Durations written as whole nanoseconds, so that they are exact.
//!
//! 584 years and more are for ever, and written as one number: the largest that every reader of JSON
//! keeps whole.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    to_nanos(*time).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(of_nanos)
}

/// The same where there may be none.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, of_nanos, to_nanos};

    #[expect(clippy::ref_option, reason = "serde asks for it")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(to_nanos).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(of_nanos))
    }
}

fn to_nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn of_nanos(nanos: u64) -> Duration {
    if nanos == u64::MAX { Duration::MAX } else { Duration::from_nanos(nanos) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duration_comes_back() {
        for time in [Duration::ZERO, Duration::from_nanos(1), Duration::new(7, 5), Duration::MAX] {
            assert_eq!(of_nanos(to_nanos(time)), time);
        }
        assert_eq!(of_nanos(to_nanos(Duration::from_secs(u64::MAX / 2))), Duration::MAX);
    }
}
