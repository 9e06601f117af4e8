//! How long successful attempts take: a sliding window, and its 99th percentile.
//!
//! Only successes count. Attempts that were cut would stretch the percentile, and the timeout would
//! chase its own tail. But they are counted apart: where the timeout cuts more than a few attempts
//! it does not fit any more, and is not used until it does.

use crate::backoff::nanos;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::time::Duration;

/// Eight buckets for each doubling, so that a percentile is at most an eighth too long.
const PER_DOUBLING: u32 = 8;
/// From a sixteenth of a millisecond to 16 seconds.
const DOUBLINGS: u32 = 18;
const SMALLEST_MICROS: u64 = 64;
const BUCKETS: usize = (PER_DOUBLING * DOUBLINGS) as usize;

/// Half of the window, in milliseconds: between ten and twenty seconds are remembered.
const HALF_MILLIS: u64 = 10_000;

/// A timeout that cuts more than this share of the attempts is wrong: twice the 99th percentile
/// should cut less than one in a hundred.
const CUT_SHARE: u64 = 20;

/// Two halves that take turns.
#[derive(Debug, Default)]
pub(super) struct Latency {
    halves: [Half; 2],
    /// The number of the half that is being filled.
    turn: AtomicU64,
    /// The timeout that was last observed, in nanoseconds; zero for none.
    observed: AtomicU64,
}

#[derive(Debug)]
struct Half {
    buckets: [AtomicU32; BUCKETS],
    /// No bucket after this one holds anything, so that nobody has to look.
    last: AtomicUsize,
    successes: AtomicU32,
    cuts: AtomicU32,
}

impl Default for Half {
    fn default() -> Self {
        Self {
            buckets: [const { AtomicU32::new(0) }; BUCKETS],
            last: AtomicUsize::default(),
            successes: AtomicU32::default(),
            cuts: AtomicU32::default(),
        }
    }
}

impl Half {
    fn count(&self, bucket: usize) {
        if let Some(count) = self.buckets.get(bucket) {
            count.fetch_add(1, Relaxed);
        }
        // Most are not slower than all before, and then the word is only read.
        if self.last.load(Relaxed) < bucket {
            self.last.fetch_max(bucket, Relaxed);
        }
    }

    fn clear(&self) {
        self.buckets.iter().for_each(|bucket| bucket.store(0, Relaxed));
        self.last.store(0, Relaxed);
        self.successes.store(0, Relaxed);
        self.cuts.store(0, Relaxed);
    }
}

impl Latency {
    /// An attempt succeeded at `now`, in milliseconds of the downstream's clock.
    pub(super) fn succeeded(&self, took: Duration, now: u64) {
        if let Some(half) = self.current(now) {
            half.successes.fetch_add(1, Relaxed);
            half.count(bucket_of(took));
        }
    }

    /// An attempt was cut by its timeout.
    pub(super) fn cut(&self, now: u64) {
        if let Some(half) = self.current(now) {
            half.cuts.fetch_add(1, Relaxed);
        }
    }

    /// The 99th percentile, rounded up; none while there are fewer than `minimum` successes, or
    /// while too many attempts are cut.
    pub(super) fn p99(&self, minimum: u32, now: u64) -> Option<Duration> {
        self.current(now);
        let sum = |count: fn(&Half) -> &AtomicU32| {
            self.halves.iter().map(|half| u64::from(count(half).load(Relaxed))).sum::<u64>()
        };
        let (successes, cuts) = (sum(|half| &half.successes), sum(|half| &half.cuts));
        if successes < u64::from(minimum.max(1)) || cuts * CUT_SHARE > successes + cuts {
            return None;
        }
        let mut above = successes / 100;
        let last = self.halves.iter().map(|half| half.last.load(Relaxed)).max();
        for bucket in (0..=last.unwrap_or_default()).rev() {
            let counts = self.halves.iter().filter_map(|half| half.buckets.get(bucket));
            let count = counts.map(|count| u64::from(count.load(Relaxed))).sum::<u64>();
            if count > above {
                return Some(end_of(bucket));
            }
            above -= count;
        }
        None
    }

    /// Remembers an observed timeout, and gives the one before.
    pub(super) fn observe(&self, timeout: Option<Duration>) -> Option<Duration> {
        let before = self.observed.swap(timeout.map_or(0, nanos), Relaxed);
        (before != 0).then(|| Duration::from_nanos(before))
    }

    /// The half that is being filled at this time; what is older than a whole window is forgotten.
    fn current(&self, now: u64) -> Option<&Half> {
        let turn = now / HALF_MILLIS;
        let before = self.turn.load(Relaxed);
        if turn > before && self.turn.compare_exchange(before, turn, Relaxed, Relaxed).is_ok() {
            self.half(turn)?.clear();
            if turn > before + 1 {
                self.half(turn + 1)?.clear();
            }
        }
        self.half(turn)
    }

    fn half(&self, turn: u64) -> Option<&Half> {
        self.halves.get(usize::from(turn % 2 == 1))
    }
}

/// The bucket of a duration: its doubling, and its eighth of that.
fn bucket_of(took: Duration) -> usize {
    let longest = SMALLEST_MICROS << DOUBLINGS;
    let micros = u64::try_from(took.as_micros()).unwrap_or(longest);
    let micros = micros.clamp(SMALLEST_MICROS, longest);
    let doubling = (micros / SMALLEST_MICROS).ilog2();
    let start = SMALLEST_MICROS << doubling;
    let eighth = (micros - start) * u64::from(PER_DOUBLING) / start;
    let bucket = u64::from(doubling * PER_DOUBLING) + eighth;
    usize::try_from(bucket).unwrap_or(usize::MAX).min(BUCKETS - 1)
}

/// The longest duration of a bucket.
fn end_of(bucket: usize) -> Duration {
    let bucket = u32::try_from(bucket).unwrap_or(u32::MAX);
    let (doubling, eighth) = (bucket / PER_DOUBLING, bucket % PER_DOUBLING);
    let start = SMALLEST_MICROS << doubling.min(DOUBLINGS);
    Duration::from_micros(start + start * u64::from(eighth + 1) / u64::from(PER_DOUBLING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_what_it_says() {
        for micros in [1, 64, 65, 100, 1_000, 40_000, 999_999, 16_000_000, u64::MAX] {
            let took = Duration::from_micros(micros);
            let bucket = bucket_of(took);
            assert!(end_of(bucket) > took || bucket == BUCKETS - 1, "{micros}");
            assert!(bucket == 0 || end_of(bucket - 1) <= took, "{micros}");
        }
    }

    #[test]
    fn the_percentile_is_of_the_slowest_hundredth_and_at_most_an_eighth_too_long() {
        let latency = Latency::default();
        for millis in 1..=1_000 {
            latency.succeeded(Duration::from_millis(millis), 0);
        }
        let p99 = latency.p99(100, 0).unwrap();
        assert!((990..=1_115).contains(&p99.as_millis()), "{p99:?}");
        assert_eq!(latency.p99(1_001, 0), None, "too few");
    }

    #[test]
    fn what_is_old_is_forgotten_by_halves() {
        let latency = Latency::default();
        latency.succeeded(Duration::from_millis(100), 0);
        latency.succeeded(Duration::from_millis(1), 12_000);
        assert!(latency.p99(1, 19_999).unwrap() >= Duration::from_millis(100));
        assert!(latency.p99(1, 20_000).unwrap() < Duration::from_millis(2));
        assert_eq!(latency.p99(1, 60_000), None);
    }

    #[test]
    fn a_timeout_that_cuts_one_in_twenty_is_not_used() {
        let latency = Latency::default();
        for _ in 0..95 {
            latency.succeeded(Duration::from_millis(10), 0);
        }
        (0..5).for_each(|_| latency.cut(0));
        assert!(latency.p99(1, 0).is_some());
        latency.cut(0);
        assert_eq!(latency.p99(1, 0), None);
    }
}
