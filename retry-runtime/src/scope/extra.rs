//! What a call knows of its request once somebody has asked.

use super::Standing;
use crate::environment::random;
use crate::observe::Watch;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

/// Few requests have it, and so it is kept apart. It is copied when one of those who have it in
/// common changes it.
#[derive(Clone, Debug)]
pub(super) struct Extra {
    /// See [`Scope::root_id`](super::Scope::root_id); never zero.
    pub(super) root: u64,
    pub(super) watch: Watch,
    /// Counts the retries once the request runs in several tasks.
    pub(super) counter: Option<Arc<AtomicU32>>,
}

impl Extra {
    fn of_root(root: u64) -> Self {
        Self { root, watch: Watch::NONE, counter: None }
    }

    fn drawn() -> Self {
        loop {
            match random() {
                0 => {}
                root => return Self::of_root(root),
            }
        }
    }
}

impl Standing {
    /// Draws the root id when it is first needed: a call that succeeds alone never pays for it.
    pub(crate) fn identify(&mut self) {
        if self.extra.is_none() {
            self.extra = Some(Arc::new(Extra::drawn()));
        }
    }

    /// That of a request whose number somebody else has drawn.
    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn identify_as(&mut self, root: u64) {
        self.extra = Some(Arc::new(Extra::of_root(root)));
    }

    pub(super) fn extra_mut(&mut self) -> &mut Extra {
        Arc::make_mut(self.extra.get_or_insert_with(|| Arc::new(Extra::drawn())))
    }

    /// Zero until somebody asks.
    pub(crate) fn root_id(&self) -> u64 {
        self.extra.as_ref().map_or(0, |extra| extra.root)
    }

    pub(crate) fn watch(&self) -> Option<&Watch> {
        self.extra.as_ref().map(|extra| &extra.watch)
    }

    #[inline]
    pub(super) fn counter(&self) -> Option<&Arc<AtomicU32>> {
        self.extra.as_ref().and_then(|extra| extra.counter.as_ref())
    }
}
