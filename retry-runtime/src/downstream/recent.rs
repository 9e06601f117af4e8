//! Whether this thread has just done what is to be done once in a while.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::time::Instant;

/// Something that is to be done from time to time, and looked at far more often.
///
/// To look at it means to compare instants that the caller has. To turn an instant into a number,
/// which threads could share, takes longer than all the rest of a call that succeeds.
#[derive(Debug)]
pub(super) struct Recent {
    /// Its number, from 1; zero before anybody has looked.
    number: AtomicU64,
}

/// What this thread did last.
#[derive(Clone, Copy)]
struct Done {
    number: NonZeroU64,
    until: Instant,
}

thread_local! {
    static LAST: Cell<Option<Done>> = const { Cell::new(None) };
}

static NUMBERS: AtomicU64 = AtomicU64::new(0);

impl Recent {
    pub(super) const fn new() -> Self {
        Self { number: AtomicU64::new(0) }
    }

    /// Whether it is the last that this thread did, and not to be done again yet.
    #[inline]
    pub(super) fn was_lately(&self, now: Instant) -> bool {
        let number = self.number.load(Relaxed);
        let is_this = |done: Done| done.number.get() == number && now < done.until;
        LAST.with(|last| last.get().is_some_and(is_this))
    }

    /// Does it, unless it was done lately. It says for how long it need not be done again.
    #[inline]
    pub(super) fn unless_lately(&self, now: Instant, act: impl FnOnce() -> Duration) {
        if !self.was_lately(now) {
            let until = now.checked_add(act());
            LAST.set(self.number().zip(until).map(|(number, until)| Done { number, until }));
        }
    }

    fn number(&self) -> Option<NonZeroU64> {
        if self.number.load(Relaxed) == 0 {
            let new = NUMBERS.fetch_add(1, Relaxed).wrapping_add(1);
            // Another thread may have been faster; its number is as good.
            let _ = self.number.compare_exchange(0, new, Relaxed, Relaxed);
        }
        NonZeroU64::new(self.number.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether it acts.
    fn acts(recent: &Recent, now: Instant) -> bool {
        let mut acted = false;
        recent.unless_lately(now, || {
            acted = true;
            Duration::from_secs(1)
        });
        acted
    }

    #[test]
    fn it_acts_again_when_its_time_is_over() {
        let (recent, began) = (Recent::new(), Instant::now());
        let later = |millis| began + Duration::from_millis(millis);
        assert!(acts(&recent, later(500)));
        assert!(!acts(&recent, later(500)));
        assert!(!acts(&recent, later(1_499)));
        assert!(acts(&recent, later(1_500)));
    }

    #[test]
    fn each_thing_and_each_thread_are_looked_at_by_themselves() {
        let (one, other, now) = (Recent::new(), Recent::new(), Instant::now());
        assert!(acts(&one, now));
        assert!(acts(&other, now));
        assert!(acts(&one, now), "the last was the other");
        std::thread::scope(|scope| assert!(scope.spawn(|| acts(&one, now)).join().unwrap()));
    }
}
