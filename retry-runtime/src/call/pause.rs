//! The pause before a retry.

use tokio::time::Instant;

/// A pause that was decided upon. The attempt after it serves it.
#[derive(Clone, Copy, Debug)]
pub struct Pause(pub(super) Length);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// There is none: before the first attempt.
    Nothing,
    /// Just long enough to let others run. A pause of zero never reaches the timer, whose shortest
    /// wait is the rest of a millisecond.
    Yield,
    Until(Instant),
}

impl Pause {
    /// None, before the first attempt.
    pub const NONE: Self = Self(Length::Nothing);
    pub(crate) const SHORTEST: Self = Self(Length::Yield);

    pub(crate) const fn until(until: Instant) -> Self {
        Self(Length::Until(until))
    }

    /// When it ends, if it does not end at once.
    #[cfg(feature = "storm")]
    pub(crate) fn end(self) -> Option<Instant> {
        match self.0 {
            Length::Until(until) => Some(until),
            Length::Nothing | Length::Yield => None,
        }
    }
}
