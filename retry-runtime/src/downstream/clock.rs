//! The time of one downstream: small numbers that fit into atomic words.

use crate::time::Time;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Counts from the first time that anybody asks about.
#[derive(Debug)]
pub(super) struct Clock {
    /// The word of a time; zero before.
    first: AtomicU64,
}

pub(super) const NANOS_PER_SECOND: u64 = 1_000_000_000;
const NANOS_PER_MILLI: u64 = 1_000_000;

impl Clock {
    pub(super) const fn new() -> Self {
        Self { first: AtomicU64::new(0) }
    }

    /// Nanoseconds; zero for what lies before the first time.
    #[inline]
    pub(super) fn nanos(&self, now: Time) -> u64 {
        match self.first.load(Relaxed) {
            0 => self.begin(now),
            first => now.nanos_since(Time::of_word(first)),
        }
    }

    #[cold]
    fn begin(&self, now: Time) -> u64 {
        // Another thread may have been faster; its time is as good.
        let _ = self.first.compare_exchange(0, now.to_word(), Relaxed, Relaxed);
        now.nanos_since(Time::of_word(self.first.load(Relaxed)))
    }

    /// Whole milliseconds that have passed.
    #[inline]
    pub(super) fn millis(&self, now: Time) -> u64 {
        self.nanos(now) / NANOS_PER_MILLI
    }

    /// The same rounded up, for what begins now and must not end early.
    #[inline]
    pub(super) fn millis_up(&self, now: Time) -> u64 {
        self.nanos(now).div_ceil(NANOS_PER_MILLI)
    }
}
