//! Where threads run.

use core_affinity::{CoreId, get_core_ids, set_for_current};
use std::thread;

/// A core for each thread, so that they run side by side and stay where they are; none where the
/// system does not let a thread choose.
#[derive(Debug)]
pub(super) struct Cores(Vec<CoreId>);

impl Cores {
    pub(super) fn find() -> Self {
        let mut cores = get_core_ids().unwrap_or_default();
        // Tried on a thread that ends here, since it cannot be undone.
        let try_out = || cores.iter().all(|core| set_for_current(*core));
        let works = thread::scope(|scope| scope.spawn(try_out).join().unwrap_or(false));
        if cores.len() < 2 || !works {
            cores.clear();
        }
        Self(cores)
    }

    pub(super) fn are_pinned(&self) -> bool {
        !self.0.is_empty()
    }

    /// Binds the thread that runs this to the core of this number.
    pub(super) fn pin(&self, thread: usize) {
        if let Some(core) = self.0.get(thread) {
            set_for_current(*core);
        }
    }
}
