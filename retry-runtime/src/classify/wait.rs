//! How long a server asks to be left alone, in one word.

use crate::backoff::nanos;
use std::fmt;
use std::time::Duration;

/// Nanoseconds, or nothing. What is longer than 584 years counts as that.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Written", into = "Written"))]
pub(super) struct Wait(u64);

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Written(#[serde(with = "crate::nanos::option")] Option<Duration>);

#[cfg(feature = "serde")]
impl From<Written> for Wait {
    fn from(written: Written) -> Self {
        written.0.map_or(Self::NONE, Self::of)
    }
}

#[cfg(feature = "serde")]
impl From<Wait> for Written {
    fn from(wait: Wait) -> Self {
        Self(wait.duration())
    }
}

impl Wait {
    pub(super) const NONE: Self = Self(u64::MAX);

    pub(super) const fn of(duration: Duration) -> Self {
        let nanos = nanos(duration);
        Self(if nanos == u64::MAX { u64::MAX - 1 } else { nanos })
    }

    pub(super) const fn duration(self) -> Option<Duration> {
        if self.0 == u64::MAX { None } else { Some(Duration::from_nanos(self.0)) }
    }
}

impl fmt::Debug for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.duration().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_comes_back_to_the_nanosecond_and_the_longest_is_one_too() {
        for wait in [Duration::ZERO, Duration::new(7, 1), Duration::from_secs(1 << 33)] {
            assert_eq!(Wait::of(wait).duration(), Some(wait));
        }
        assert!(Wait::of(Duration::MAX).duration().unwrap() > Duration::from_secs(1 << 33));
        assert_eq!(Wait::NONE.duration(), None);
    }
}
