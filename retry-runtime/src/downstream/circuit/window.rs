//! Successes and failures of the last while, counted in slots that are reused.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

const SLOTS: usize = 10;
/// As many tenths make the whole.
const TENTHS: u64 = 10;
const COUNT_BITS: u32 = 20;
const LARGEST_COUNT: u64 = (1 << COUNT_BITS) - 1;

/// Ten slots of a tenth of the time each. A slot holds the number of its tenth, and two counts.
#[derive(Debug)]
pub(super) struct Window([AtomicU64; SLOTS]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    /// The number of the tenth since the clock began, of which 24 bits are kept.
    tenth: u64,
    successes: u64,
    failures: u64,
}

impl Slot {
    const fn pack(self) -> u64 {
        (self.tenth << (2 * COUNT_BITS)) | (self.successes << COUNT_BITS) | self.failures
    }

    const fn unpack(packed: u64) -> Self {
        Self {
            tenth: packed >> (2 * COUNT_BITS),
            successes: (packed >> COUNT_BITS) & LARGEST_COUNT,
            failures: packed & LARGEST_COUNT,
        }
    }
}

/// The number of the tenth that `now` lies in. Zero is for slots that were never used.
fn tenth(now: u64, within: u64) -> u64 {
    (now / (within / TENTHS).max(1) + 1) & ((1 << 24) - 1)
}

impl Window {
    pub(super) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; SLOTS])
    }

    pub(super) fn count(&self, failed: bool, now: u64, within: u64) {
        let tenth = tenth(now, within);
        let Some(slot) = self.slot(tenth) else { return };
        let counted = slot.fetch_update(Relaxed, Relaxed, |packed| {
            let mut slot = Slot::unpack(packed);
            if slot.tenth != tenth {
                slot = Slot { tenth, successes: 0, failures: 0 };
            }
            let count = if failed { &mut slot.failures } else { &mut slot.successes };
            *count = (*count + 1).min(LARGEST_COUNT);
            Some(slot.pack())
        });
        debug_assert!(counted.is_ok(), "the update always gives a value");
    }

    /// Whether at least `minimum` calls were counted, and at least this share of them failed.
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    pub(super) fn exceeds(&self, ratio: f64, minimum: u32, now: u64, within: u64) -> bool {
        let this = tenth(now, within);
        let (mut successes, mut failures) = (0, 0);
        for slot in self.0.iter().map(|slot| Slot::unpack(slot.load(Relaxed))) {
            if slot.tenth != 0 && this.wrapping_sub(slot.tenth) < TENTHS {
                successes += slot.successes;
                failures += slot.failures;
            }
        }
        let calls = successes + failures;
        failures > 0 && calls >= u64::from(minimum) && failures as f64 >= ratio * calls as f64
    }

    pub(super) fn clear(&self) {
        self.0.iter().for_each(|slot| slot.store(0, Relaxed));
    }

    fn slot(&self, tenth: u64) -> Option<&AtomicU64> {
        self.0.get(usize::try_from(tenth % TENTHS).unwrap_or_default())
    }
}
