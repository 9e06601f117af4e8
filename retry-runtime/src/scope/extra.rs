//! What few requests have: somebody who observes them, and several tasks.

use super::Standing;
use crate::observe::Watch;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// It is kept apart, so that the others need not hold it while they wait, and is copied when one of
/// those who have it in common changes it.
#[derive(Clone, Debug)]
pub(super) struct Extra {
    pub(super) watch: Watch,
    /// Counts the retries once the request runs in several tasks.
    pub(super) counter: Option<Arc<AtomicU32>>,
}

impl Standing {
    pub(super) fn extra_mut(&mut self) -> &mut Extra {
        let new = || Arc::new(Extra { watch: Watch::NONE, counter: None });
        Arc::make_mut(self.extra.get_or_insert_with(new))
    }

    pub(crate) fn watch(&self) -> Option<&Watch> {
        self.extra.as_ref().map(|extra| &extra.watch)
    }

    #[inline]
    pub(super) fn counter(&self) -> Option<&Arc<AtomicU32>> {
        self.extra.as_ref().and_then(|extra| extra.counter.as_ref())
    }
}
