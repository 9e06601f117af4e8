//! What is measured.

use std::fmt;
use std::hint::black_box;
use tokio::time::Instant;

/// Something that threads do to one thing that they share.
pub(super) struct Operation {
    name: &'static str,
    repeat: Box<dyn Fn(Instant, u32) -> bool + Sync>,
}

impl Operation {
    /// `once` is given the time at which its round began, and says whether it worked.
    pub(super) fn new(name: &'static str, once: impl Fn(Instant) -> bool + Sync + 'static) -> Self {
        let repeat = move |now, times| {
            // All of them are run, and none of them is optimised away.
            (0..times).fold(true, |worked, _| black_box(once(now)) & worked)
        };
        Self { name, repeat: Box::new(repeat) }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Does it so often, and says whether it worked every time.
    pub(super) fn repeat(&self, now: Instant, times: u32) -> bool {
        (self.repeat)(now, times)
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Operation").field(&self.name).finish()
    }
}
