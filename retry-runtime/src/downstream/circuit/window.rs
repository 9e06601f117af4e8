//! Successes and failures of the last while, counted in slots that are reused.

use std::cell::Cell;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

const SLOTS: usize = 10;
/// As many tenths make the whole.
const TENTHS: u64 = 10;
const TENTH_BITS: u32 = 24;
const COUNT_BITS: u32 = 40;
/// How many threads count successes without getting into each other's way.
const SHARES: usize = 4;

/// Ten slots of a tenth of the time each.
#[derive(Debug)]
pub(super) struct Window {
    /// Only read while nothing fails.
    failures: Counts,
    /// What succeeds is counted in the share of its thread.
    successes: [Counts; SHARES],
    /// The tenth in which a call last came or failed. A success belongs to it, so that nobody has to
    /// look at the clock.
    current: AtomicU64,
}

/// A slot holds the number of its tenth, and a count. Alone on its cache lines.
#[derive(Debug)]
#[repr(align(128))]
struct Counts([AtomicU64; SLOTS]);

/// The number of the tenth that `now` lies in. Zero is for slots that were never used.
fn tenth(now: u64, within: u64) -> u64 {
    (now / (within / TENTHS).max(1) + 1) & ((1 << TENTH_BITS) - 1)
}

impl Window {
    pub(super) const fn new() -> Self {
        Self {
            failures: Counts::new(),
            successes: [const { Counts::new() }; SHARES],
            current: AtomicU64::new(1),
        }
    }

    /// Time has come to `now`.
    pub(super) fn reach(&self, now: u64, within: u64) {
        let tenth = tenth(now, within);
        if self.current.load(Relaxed) != tenth {
            self.current.store(tenth, Relaxed);
        }
    }

    pub(super) fn succeed(&self) {
        if let Some(share) = self.successes.get(share()) {
            share.count(self.current.load(Relaxed));
        }
    }

    pub(super) fn fail(&self) {
        self.failures.count(self.current.load(Relaxed));
    }

    /// Whether at least `minimum` calls were counted, and at least this share of them failed.
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    pub(super) fn exceeds(&self, ratio: f64, minimum: u32) -> bool {
        let current = self.current.load(Relaxed);
        let failures = self.failures.sum(current);
        if failures == 0 {
            return false;
        }
        let successes: u64 = self.successes.iter().map(|share| share.sum(current)).sum();
        let calls = successes + failures;
        calls >= u64::from(minimum) && failures as f64 >= ratio * calls as f64
    }

    pub(super) fn clear(&self) {
        self.failures.clear();
        self.successes.iter().for_each(Counts::clear);
    }
}

/// The share of this thread.
fn share() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static SHARE: Cell<Option<usize>> = const { Cell::new(None) };
    }
    SHARE.get().unwrap_or_else(|| {
        let share = NEXT.fetch_add(1, Relaxed) % SHARES;
        SHARE.set(Some(share));
        share
    })
}

impl Counts {
    const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; SLOTS])
    }

    fn count(&self, tenth: u64) {
        let Some(slot) = self.0.get(usize::try_from(tenth % TENTHS).unwrap_or_default()) else {
            return;
        };
        let first = (tenth << COUNT_BITS) | 1;
        let more = |slot: u64| if slot >> COUNT_BITS == tenth { slot + 1 } else { first };
        // The update always gives a value.
        let _ = slot.fetch_update(Relaxed, Relaxed, |slot| Some(more(slot)));
    }

    fn sum(&self, current: u64) -> u64 {
        let counted = |slot: u64| {
            let tenth = slot >> COUNT_BITS;
            tenth != 0 && current.wrapping_sub(tenth) < TENTHS
        };
        let slots = self.0.iter().map(|slot| slot.load(Relaxed));
        slots.filter(|slot| counted(*slot)).map(|slot| slot & ((1 << COUNT_BITS) - 1)).sum()
    }

    fn clear(&self) {
        self.0.iter().for_each(|slot| slot.store(0, Relaxed));
    }
}
