//! What happens to the calls.

use super::body::{Body, FailsTwice, Kibibyte, Ready, YieldsOnce};
use super::case::{Case, Drive};
use super::names::{SLEEP, TIMEOUT};
#[cfg(feature = "peers")]
use super::peers;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::bar::{BARS, What};
    use crate::calls::names::COMPLETE;
    use std::pin::pin;
    use std::task::{Context, Waker};
    use tokio::runtime::Builder;

    #[test]
    fn every_contender_gives_what_it_has_to() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let _entered = runtime.enter();
        // The pauses of the third are tested where its clock is virtual.
        for situation in [Situation::Ready, Situation::YieldsOnce] {
            for case in situation.cases() {
                assert!(case.repeat(&runtime, situation.drive(), 10), "{case:?}, {situation:?}");
            }
        }
    }

    #[test]
    fn a_body_that_yields_once_does_so() {
        let mut context = Context::from_waker(Waker::noop());
        let mut body = pin!(YieldsOnce::run(1));
        assert!(body.as_mut().poll(&mut context).is_pending());
        assert!(body.as_mut().poll(&mut context).is_ready());
    }

    #[test]
    fn bars_are_about_contenders_of_their_situation() {
        for bar in BARS {
            let cases = bar.situation.cases();
            let has = |name| cases.iter().any(|case| case.name() == name);
            assert!(has(COMPLETE));
            if let What::InstructionsOf(other) = bar.what {
                assert!(has(other) || cfg!(not(feature = "peers")), "{other}");
            }
        }
    }

    #[test]
    fn a_situation_is_known_by_its_word() {
        for situation in Situation::ALL {
            assert_eq!(Situation::of(situation.word()), Some(situation));
        }
        assert_eq!(Situation::of("sometimes"), None);
    }
}
