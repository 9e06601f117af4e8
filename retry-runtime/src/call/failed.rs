//! How an attempt failed, and what that says of the downstream.

use crate::classify::{Class, Delivery};
use crate::downstream::{Cause, Verdict};

/// What limits the time of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Limit {
    /// The policy's timeout, or the policy's deadline where there is no timeout.
    Policy,
    /// A timeout that follows the downstream's latency.
    Adapted,
    /// What is left of the call's time, which says nothing about the downstream.
    Call,
}

/// How an attempt failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed {
    pub(super) class: Class,
    pub(super) timed_out: bool,
    /// Nobody could say whether it was applied; see [`crate::decide::Situation`].
    pub(super) unanswered: bool,
}

impl Failed {
    /// The server may still be working on it, so delivery is unknown.
    pub(crate) const TIMED_OUT: Self = Self { timed_out: true, ..Self::with(Class::TRANSIENT) };

    pub(crate) const fn with(class: Class) -> Self {
        Self { class, timed_out: false, unanswered: false }
    }

    /// What makes a retry necessary.
    #[inline]
    pub(super) const fn cause(self) -> Cause {
        Cause::of(self.class, self.timed_out)
    }

    /// A downstream that answers at all is there, and one whose attempt was cut says something only
    /// if it had the time that the policy gives it.
    #[inline]
    pub(super) fn verdict(self, limit: Limit) -> Verdict {
        match (self.class.is_retryable(), self.class.delivery()) {
            _ if self.timed_out && limit == Limit::Call => Verdict::Neutral,
            (true, _) => Verdict::Failure,
            (false, Delivery::NotSent) => Verdict::Neutral,
            (false, _) => Verdict::Success,
        }
    }
}
