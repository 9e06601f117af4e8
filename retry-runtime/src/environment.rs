//! Time and chance: what a call takes from outside, so that a simulation can give it something else.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};
use tokio::time::Instant;

/// Where the time and the random numbers of a call come from.
pub(crate) trait Environment {
    /// The time.
    fn now(&self) -> Instant;
    /// An evenly distributed random number.
    fn draw(&self) -> u64;
}

/// The clock of tokio, and the generator of this thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Live;

impl Environment for Live {
    #[inline]
    fn now(&self) -> Instant {
        Instant::now()
    }

    #[inline]
    fn draw(&self) -> u64 {
        random()
    }
}

thread_local! {
    /// Seeded by the system, by way of the standard library's hash maps.
    static SEED: Cell<u64> = Cell::new(RandomState::new().hash_one(()));
}

/// Has this thread draw from another seed. Called again, it undoes that.
#[cfg(feature = "testing")]
pub(crate) fn swap_seed(seed: &mut u64) {
    // While a thread ends its locals are gone, and nothing is drawn.
    let _ = SEED.try_with(|current| *seed = current.replace(*seed));
}

/// An evenly distributed random number, of the generator of this thread. No secret can be made of it.
#[inline]
pub(crate) fn random() -> u64 {
    let mut generator = fastrand::Rng::with_seed(SEED.get());
    let number = generator.u64(..);
    SEED.set(generator.get_seed());
    number
}
