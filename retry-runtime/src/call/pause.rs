//! The pause before a retry.

use crate::time::Time;
#[cfg(feature = "storm")]
use tokio::time::Instant;

/// A pause that was decided upon. [`Run::pause`](super::Run::pause) takes it, and the attempt that
/// follows serves it.
#[derive(Clone, Copy, Debug)]
#[must_use = "a pause does nothing unless the call is told of it"]
pub struct Pause {
    /// None if it is just long enough to let others run.
    pub(crate) until: Option<Time>,
}

impl Pause {
    /// When it ends, if it does not end at once.
    #[cfg(feature = "storm")]
    pub(crate) fn end(self) -> Option<Instant> {
        self.until.and_then(Time::instant)
    }
}
