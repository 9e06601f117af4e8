//! How long the attempts and waits of a policy can add up to.

use super::Policy;
use crate::backoff::nanos;

/// The sum of some waits, in nanoseconds.
pub(super) struct Waits {
    pub(super) longest: u128,
    pub(super) shortest: u128,
}

/// So many waits are added up one by one; a backoff that grows for longer than that is taken to
/// stay where it is, which can only make a sum too small, never refuse a sound policy.
const LISTED_WAITS: u32 = 2_000;

impl Policy {
    /// The longest and the shortest that all waits before attempt `attempt` can add up to.
    pub(super) const fn waits(&self, attempt: u32) -> Waits {
        let mut waits = Waits { longest: 0, shortest: 0 };
        let mut retry = 1;
        while retry < attempt {
            let range = self.backoff.extremes(retry);
            let same_from_here = range.limit >= nanos(self.backoff.cap) || retry == LISTED_WAITS;
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

    /// The attempt that can never start although the policy counts on it, if there is one.
    pub(super) const fn unreachable_attempt(&self) -> Option<u32> {
        let Some(deadline) = self.deadline else { return None };
        let counted_on = match (self.cut_by_deadline, self.max_attempts) {
            (_, 0 | 1) => return None,
            (true, _) => 2,
            (false, last) => last,
        };
        if self.waits(counted_on).shortest >= deadline.as_nanos() { Some(counted_on) } else { None }
    }

    /// How long a call can take if every attempt and every wait is as long as it may be.
    pub(super) const fn worst_case(&self) -> u128 {
        let attempts = match self.attempt_timeout {
            Some(timeout) => nanos(timeout) as u128 * self.max_attempts as u128,
            None => 0,
        };
        attempts + self.waits(self.max_attempts).longest
    }
}
