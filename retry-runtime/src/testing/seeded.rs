//! Draws that repeat.

use crate::environment::swap_seed;
use pin_project_lite::pin_project;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Runs a future in which calls draw their random numbers from this seed.
///
/// That goes for what is polled in the same task, and not for tasks that it spawns, which take a seed
/// of their own. The same seed gives the same numbers as long as this crate and its generator stay
/// the same. In production nothing should be seeded: callers that draw the same numbers come back
/// together.
///
/// # Cancel safety
///
/// Dropping it drops the future.
///
/// ```
/// use retry_runtime::testing::seeded;
/// use retry_runtime::{Policy, record, retry};
/// use std::time::Duration;
///
/// const TWICE: Policy = Policy::fixed(Duration::from_millis(5))
///     .max_attempts(2)
///     .deadline(Duration::from_secs(1));
///
/// #[retry(policy = TWICE, idempotent)]
/// async fn read() -> std::io::Result<u32> {
///     Err(std::io::ErrorKind::ConnectionRefused.into())
/// }
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let (_, one) = record(seeded(7, read())).await;
/// let (_, two) = record(seeded(7, read())).await;
/// // The same down to the last draw.
/// assert_eq!(one.to_string(), two.to_string());
/// # }
/// ```
pub fn seeded<F: Future>(seed: u64, work: F) -> Seeded<F> {
    Seeded { seed, work }
}

pin_project! {
    /// A future with a seed; see [`seeded`].
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct Seeded<F> {
        // That of the thread while the future is polled.
        seed: u64,
        #[pin]
        work: F,
    }
}

impl<F: Future> Future for Seeded<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        let _swapped = Swapped::new(this.seed);
        this.work.poll(cx)
    }
}

impl<F> fmt::Debug for Seeded<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seeded").field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// While this lives the thread draws from its seed; a panic ends that, too.
struct Swapped<'s>(&'s mut u64);

impl<'s> Swapped<'s> {
    fn new(seed: &'s mut u64) -> Self {
        swap_seed(seed);
        Self(seed)
    }
}

impl Drop for Swapped<'_> {
    fn drop(&mut self) {
        swap_seed(self.0);
    }
}
