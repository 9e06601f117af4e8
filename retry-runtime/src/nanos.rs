//! Durations written as whole nanoseconds, so that they are exact.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

pub(crate) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    time.as_nanos().serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Duration, D::Error> {
    u128::deserialize(deserializer).map(of_nanos)
}

/// The same where there may be none.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer, of_nanos};

    #[expect(clippy::ref_option, reason = "serde asks for it")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_nanos()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u128>::deserialize(deserializer)?.map(of_nanos))
    }
}

/// More than a duration can hold is as much as it can hold.
fn of_nanos(nanos: u128) -> Duration {
    const PER_SECOND: u128 = 1_000_000_000;
    match (u64::try_from(nanos / PER_SECOND), u32::try_from(nanos % PER_SECOND)) {
        (Ok(secs), Ok(nanos)) => Duration::new(secs, nanos),
        _ => Duration::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duration_comes_back() {
        for time in [Duration::ZERO, Duration::from_nanos(1), Duration::new(7, 5), Duration::MAX] {
            assert_eq!(of_nanos(time.as_nanos()), time);
        }
        assert_eq!(of_nanos(u128::MAX), Duration::MAX);
    }
}
