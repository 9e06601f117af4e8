//! One atomic word. A trait, so that the model checker can put its own in its place.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

pub(super) trait Atom {
    fn load(&self) -> u64;

    fn store(&self, value: u64);

    /// Writes `new` if `current` is still there; else gives what is.
    fn exchange(&self, current: u64, new: u64) -> Result<(), u64>;

    /// Writes what `change` makes of the value, if anything, and gives the value before; an error is
    /// the value that it made nothing of.
    fn update(&self, mut change: impl FnMut(u64) -> Option<u64>) -> Result<u64, u64> {
        let mut value = self.load();
        loop {
            let Some(new) = change(value) else { return Err(value) };
            match self.exchange(value, new) {
                Ok(()) => return Ok(value),
                Err(other) => value = other,
            }
        }
    }
}

impl Atom for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        self.load(Acquire)
    }

    #[inline]
    fn store(&self, value: u64) {
        self.store(value, Release);
    }

    #[inline]
    fn exchange(&self, current: u64, new: u64) -> Result<(), u64> {
        self.compare_exchange(current, new, AcqRel, Acquire).map(drop)
    }
}
