//! Time and chance: what a call takes from outside, so that a simulation can give it something else.

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
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn draw(&self) -> u64 {
        rand::random()
    }
}
