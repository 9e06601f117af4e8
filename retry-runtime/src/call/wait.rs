//! The pause before a retry.

use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

/// A pause that was decided upon: until an instant, or just long enough to let others run.
#[derive(Clone, Copy, Debug)]
#[must_use = "a pause does nothing until it is waited for"]
pub struct Pause {
    pub(crate) until: Option<Instant>,
}

impl Pause {
    /// Waits. A pause of zero yields once and never reaches the timer, whose shortest wait is the
    /// rest of a millisecond.
    pub async fn wait(self) {
        match self.until {
            Some(until) => sleep_until(until).await,
            None => yield_now().await,
        }
    }
}
