//! Instants and lengths of time in one word each.

use crate::backoff::nanos;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::time::Instant;

/// An instant of tokio's clock.
///
/// One word, where tokio's own is two and calls a function for every sum and comparison. All times of
/// this process count from the same instant, so that those of different calls can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Time(u64);

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span(u64);

/// One reading of the clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) time: Time,
    /// As the clock gave it; none where only the time was kept.
    read: Option<Instant>,
}

/// What all times count from, by so many nanoseconds: a virtual clock may go back before it.
static EPOCH: OnceLock<Instant> = OnceLock::new();
const EPOCH_NANOS: u64 = 1 << 62;

#[inline]
fn epoch() -> Instant {
    *EPOCH.get_or_init(Instant::now)
}

impl Time {
    /// It never comes. What is 400 years away does not, either.
    pub(crate) const NEVER: Self = Self(u64::MAX);

    #[inline]
    pub(crate) fn of(instant: Instant) -> Self {
        match instant.checked_duration_since(epoch()) {
            Some(after) => Self(EPOCH_NANOS.saturating_add(nanos(after))),
            None => Self::before_epoch(instant),
        }
    }

    #[cold]
    fn before_epoch(instant: Instant) -> Self {
        Self(EPOCH_NANOS.saturating_sub(nanos(epoch().saturating_duration_since(instant))))
    }

    /// The instant, if it comes and the clock can express it.
    #[inline]
    pub(crate) fn instant(self) -> Option<Instant> {
        match self {
            Self::NEVER => None,
            Self(nanos) if nanos < EPOCH_NANOS => {
                epoch().checked_sub(Duration::from_nanos(EPOCH_NANOS - nanos))
            }
            Self(nanos) => epoch().checked_add(Duration::from_nanos(nanos - EPOCH_NANOS)),
        }
    }

    /// So much later; never, if either never comes.
    #[inline]
    pub(crate) const fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// From `now` to this; zero after it, and endless if it never comes.
    #[inline]
    pub(crate) const fn left(self, now: Self) -> Span {
        match self {
            Self::NEVER => Span::ENDLESS,
            Self(_) => Span(self.nanos_since(now)),
        }
    }

    /// From an earlier time to this.
    #[inline]
    pub(crate) const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.nanos_since(earlier))
    }

    #[inline]
    pub(crate) const fn nanos_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// In a word that threads share.
    #[inline]
    pub(crate) const fn to_word(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) const fn of_word(word: u64) -> Self {
        Self(word)
    }
}

impl Span {
    pub(crate) const ZERO: Self = Self(0);

    /// It does not end.
    pub(crate) const ENDLESS: Self = Self(u64::MAX);

    #[inline]
    pub(crate) const fn of_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    #[inline]
    pub(crate) const fn of_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// What is 584 years or longer does not end.
    #[inline]
    pub(crate) const fn of_duration(duration: Duration) -> Self {
        Self(nanos(duration))
    }

    #[inline]
    pub(crate) const fn of(limit: Option<Duration>) -> Self {
        match limit {
            Some(limit) => Self::of_duration(limit),
            None => Self::ENDLESS,
        }
    }

    #[inline]
    pub(crate) const fn is_endless(self) -> bool {
        self.0 == Self::ENDLESS.0
    }

    #[inline]
    pub(crate) const fn nanos(self) -> u64 {
        self.0
    }

    /// None if it does not end.
    #[inline]
    pub(crate) fn duration(self) -> Option<Duration> {
        (self != Self::ENDLESS).then(|| Duration::from_nanos(self.0))
    }

    /// [`Duration::MAX`] if it does not end.
    #[inline]
    pub(crate) fn to_duration(self) -> Duration {
        self.duration().unwrap_or(Duration::MAX)
    }

    #[inline]
    pub(crate) const fn plus(self, more: Self) -> Self {
        Self(self.0.saturating_add(more.0))
    }

    /// What is left of it after the other; zero if that is longer. What does not end never comes to it.
    #[inline]
    pub(crate) const fn less(self, other: Self) -> Self {
        if self.is_endless() { self } else { Self(self.0.saturating_sub(other.0)) }
    }
}

impl Now {
    #[inline]
    pub(crate) fn of(instant: Instant) -> Self {
        Self { time: Time::of(instant), read: Some(instant) }
    }

    /// That of an earlier reading.
    #[inline]
    pub(crate) const fn at(time: Time) -> Self {
        Self { time, read: None }
    }

    #[inline]
    pub(crate) fn instant(self) -> Instant {
        // What was read once can be expressed again.
        self.read.or_else(|| self.time.instant()).unwrap_or_else(epoch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_limit_never_comes() {
        let (now, never) = (Time::of(Instant::now()), Time::NEVER);
        assert_eq!(now.plus(Span::ENDLESS), never);
        assert_eq!(never.plus(Span::of(Some(Duration::from_secs(1)))), never);
        assert_eq!(never.left(now), Span::ENDLESS);
        assert_eq!(never.left(now).to_duration(), Duration::MAX);
        assert_eq!(never.instant(), None);
        assert_eq!(Span::of(Some(Duration::MAX)), Span::ENDLESS);
    }

    #[test]
    fn an_instant_comes_back_to_the_nanosecond() {
        let now = Instant::now();
        let (second, year) = (Duration::new(1, 1), Duration::from_secs(31_536_000));
        for instant in [now, now + second, now - second, now + 50 * year, now - 50 * year] {
            assert_eq!(Time::of(instant).instant(), Some(instant));
        }
        assert_eq!(Time::of(now + second).since(Time::of(now)), second);
        assert_eq!(Time::of(now).plus(Span::of(Some(second))), Time::of(now + second));
        assert_eq!(Time::of(now).left(Time::of(now + second)), Span::ZERO);
    }
}
