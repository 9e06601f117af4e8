//! How long the attempts and waits of a policy can add up to.

use super::Policy;
use super::rule::is_factor;
use crate::backoff::{Backoff, nanos};

/// The sum of some waits, in nanoseconds.
pub(super) struct Waits {
    pub(super) longest: u128,
    pub(super) shortest: u128,
}

/// What several rules ask of a policy, in nanoseconds; `u128::MAX` where it says nothing.
///
/// It is found out once for all of them: the compiler does it anew for every annotated function,
/// and each step of it costs a compiler a hundred times what it costs a processor.
pub(super) struct Times {
    pub(super) attempt: u128,
    pub(super) deadline: u128,
    pub(super) backoff: Unsound,
    /// Whether the last attempt that the policy counts on can never start.
    pub(super) is_unreachable: bool,
    /// How long a call can take up to that attempt's end, if all is as long as it may be.
    pub(super) worst_case: u128,
}

/// What is wrong with a backoff. Its waits then mean nothing, and no rule speaks of them.
pub(super) struct Unsound {
    pub(super) base_zero: bool,
    pub(super) cap_below_base: bool,
    pub(super) multiplier: bool,
}

/// So many waits are added up one by one; a backoff that grows for longer than that is taken to
/// stay where it is, which can only make a sum too small, never refuse a sound policy.
const LISTED_WAITS: u32 = 2_000;

impl Policy {
    /// The longest and the shortest that all waits before attempt `attempt` can add up to.
    pub(super) const fn waits(&self, attempt: u32) -> Waits {
        let mut waits = Waits { longest: 0, shortest: 0 };
        let cap = nanos(self.backoff.cap);
        let mut retry = 1;
        while retry < attempt {
            let range = self.backoff.extremes(retry);
            let same_from_here = range.limit >= cap || retry == LISTED_WAITS;
            let times = if same_from_here { (attempt - retry) as u128 } else { 1 };
            waits.longest += range.limit as u128 * times;
            waits.shortest += range.shortest as u128 * times;
            if same_from_here {
                break;
            }
            retry += 1;
        }
        waits
    }

    /// The last attempt that the policy counts on.
    pub(super) const fn counted_on(&self) -> u32 {
        if self.cut_by_deadline && self.max_attempts > 2 { 2 } else { self.max_attempts }
    }

    pub(super) const fn times(&self) -> Times {
        let (attempt, attempts) = match self.attempt_timeout {
            Some(timeout) => (timeout.as_nanos(), nanos(timeout) as u128),
            None => (u128::MAX, 0),
        };
        let deadline = match self.deadline {
            Some(deadline) => deadline.as_nanos(),
            None => u128::MAX,
        };
        let backoff = self.unsound();
        let is_sound = !(backoff.base_zero || backoff.cap_below_base || backoff.multiplier);
        let counted_on = self.counted_on();
        let waits = self.waits(if is_sound { counted_on } else { 0 });
        Times {
            attempt,
            deadline,
            backoff,
            is_unreachable: is_sound && counted_on > 1 && waits.shortest >= deadline,
            worst_case: if is_sound { attempts * counted_on as u128 + waits.longest } else { 0 },
        }
    }

    const fn unsound(&self) -> Unsound {
        let Backoff { base, cap, multiplier, immediate, .. } = self.backoff;
        let (base, cap) = (base.as_nanos(), cap.as_nanos());
        Unsound {
            base_zero: base == 0 && !immediate && self.max_attempts > 1,
            cap_below_base: cap < base,
            multiplier: !is_factor(multiplier),
        }
    }
}
