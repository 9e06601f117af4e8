//! Times of one call, counted from its beginning.

use crate::backoff::nanos;
use std::time::Duration;
use tokio::time::Instant;

/// Nanoseconds after the beginning of a call.
///
/// One word, where an instant is two and calls a function for every sum and comparison: a call that
/// succeeds at once has to know when it would end, and must not pay for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Offset(u64);

impl Offset {
    pub(crate) const ZERO: Self = Self(0);
    /// It never comes. What is 584 years away does not, either.
    pub(crate) const NEVER: Self = Self(u64::MAX);

    /// So long after the beginning, if there is a limit.
    pub(crate) const fn of(limit: Option<Duration>) -> Self {
        match limit {
            Some(limit) => Self(nanos(limit)),
            None => Self::NEVER,
        }
    }

    /// That of an instant; zero before the beginning.
    pub(crate) fn between(began: Instant, instant: Instant) -> Self {
        Self(nanos(instant.saturating_duration_since(began)))
    }

    /// So much later; never, if either never comes.
    pub(crate) const fn plus(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }

    /// From `now` to this; zero after it, and [`Duration::MAX`] if it never comes.
    pub(crate) const fn left(self, now: Self) -> Duration {
        match self {
            Self::NEVER => Duration::MAX,
            Self(end) => Duration::from_nanos(end.saturating_sub(now.0)),
        }
    }

    /// So long after the beginning; none if it never comes.
    pub(crate) fn duration(self) -> Option<Duration> {
        (self != Self::NEVER).then(|| Duration::from_nanos(self.0))
    }

    /// The instant, if it comes and the clock can express it.
    pub(crate) fn instant(self, began: Instant) -> Option<Instant> {
        if self == Self::NEVER { None } else { began.checked_add(Duration::from_nanos(self.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_limit_never_comes() {
        let never = Offset::of(None);
        assert_eq!(never.plus(Offset::of(Some(Duration::from_secs(1)))), Offset::NEVER);
        assert_eq!(never.left(Offset::ZERO), Duration::MAX);
        assert_eq!(never.instant(Instant::now()), None);
        assert_eq!(Offset::of(Some(Duration::MAX)), Offset::NEVER);
    }

    #[test]
    fn an_instant_comes_back_to_the_nanosecond() {
        let began = Instant::now();
        let offset = Offset::of(Some(Duration::new(1, 1)));
        let instant = offset.instant(began).unwrap();
        assert_eq!(instant, began + Duration::new(1, 1));
        assert_eq!(Offset::between(began, instant), offset);
        assert_eq!(offset.left(offset), Duration::ZERO);
        assert_eq!(Offset::between(instant, began), Offset::ZERO, "before the beginning");
    }
}
