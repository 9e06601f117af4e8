//! What happens to the calls.

use super::body::{Body, FailsTwice, Kibibyte, Ready, YieldsOnce};
use super::case::{Case, Drive};
#[cfg(feature = "peers")]
use super::peers;
use super::names::{SLEEP, TIMEOUT};
use super::{hand, ours};

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Its body is ready when it is first polled.
    Ready,
    /// Its body has to wait once, so that a timer is armed.
    YieldsOnce,
    /// Two attempts fail, and the third succeeds; the pauses pass on a virtual clock.
    FailsTwice,
}

impl Situation {
    pub(super) const ALL: [Self; 3] = [Self::Ready, Self::YieldsOnce, Self::FailsTwice];

    /// One word for it, on command lines.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::YieldsOnce => "yields-once",
            Self::FailsTwice => "fails-twice",
        }
    }

    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|situation| situation.word() == word)
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Ready => "The body is ready at once",
            Self::YieldsOnce => "The body waits once, so that a timer is armed",
            Self::FailsTwice => "Two attempts fail, the third succeeds, on a virtual clock",
        }
    }

    /// What the others are compared with.
    pub(super) fn yardstick(self) -> &'static str {
        match self {
            Self::Ready | Self::YieldsOnce => TIMEOUT,
            Self::FailsTwice => SLEEP,
        }
    }

    pub(super) fn drive(self) -> Drive {
        match self {
            Self::Ready | Self::FailsTwice => Drive::Await,
            Self::YieldsOnce => Drive::Poll,
        }
    }

    /// All who make such calls.
    pub(super) fn cases(self) -> Vec<Case> {
        match self {
            Self::Ready => self.contenders::<Ready>(),
            Self::YieldsOnce => self.contenders::<YieldsOnce>(),
            Self::FailsTwice => self.contenders::<FailsTwice>(),
        }
    }

    /// The same with a body of a kibibyte, to see how large their futures are.
    pub(super) fn kibibytes(self) -> Vec<Case> {
        self.contenders::<Kibibyte>()
    }

    fn contenders<B: Body>(self) -> Vec<Case> {
        let mut cases = hand::cases::<B>(self);
        cases.extend(ours::cases::<B>(self));
        #[cfg(feature = "peers")]
        cases.extend(peers::cases::<B>(self));
        cases
    }
}
