//! How many retries a request has spent, and how many it may spend.

use super::Standing;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The attempt limit of a request, and what was spent of it.
///
/// Within a task calls nest, and each tells the one around it what it spent; see [`Standing::join`].
/// Tasks run side by side, so they share one counter, which counts instead of this.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retries {
    /// How many attempts the request may make; `u32::MAX` where nothing limits it.
    limit: u32,
    spent: u32,
}

impl Retries {
    pub(super) const UNLIMITED: Self = Self { limit: u32::MAX, spent: 0 };

    /// Of a call that is in no scope.
    pub(super) fn of(attempts: Option<NonZeroU32>) -> Self {
        Self { limit: attempts.map_or(u32::MAX, NonZeroU32::get), ..Self::UNLIMITED }
    }

    pub(super) fn limit(&mut self, attempts: u32) {
        self.limit = attempts;
    }

    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn set_spent(&mut self, spent: u32) {
        self.spent = spent;
    }

    pub(super) fn are_limited(self) -> bool {
        self.limit != u32::MAX
    }

    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn limited_to(self) -> Option<u32> {
        self.are_limited().then_some(self.limit)
    }
}

impl Standing {
    /// What the request has spent of its limit.
    #[inline]
    pub(super) fn retries_spent(&self) -> u32 {
        self.counter().map_or(self.at.retries.spent, |shared| shared.load(Ordering::Relaxed))
    }

    /// The limit of the outermost call that retries is the limit of the request.
    pub(super) fn limit_once(&mut self, attempts: u32) {
        if !self.at.retries.are_limited() {
            self.at.retries.limit = self.retries_spent().saturating_add(attempts);
        }
    }

    /// Whether the request may be attempted at all; a job that was put back may have no attempt left.
    pub(crate) fn has_attempts_left(&self) -> bool {
        self.retries_spent() < self.at.retries.limit
    }

    /// How many retries the request may still make; the first attempt is none.
    #[inline]
    pub(crate) fn retries_left(&mut self) -> u32 {
        self.join_outer();
        match self.at.retries.limit {
            u32::MAX => u32::MAX,
            limit => limit.saturating_sub(1).saturating_sub(self.retries_spent()),
        }
    }

    /// A retry starts, if there is one left.
    #[inline]
    pub(crate) fn spend_retry(&mut self) -> bool {
        self.join_outer();
        let left = self.spend();
        self.join_outer();
        left
    }

    #[inline]
    fn spend(&mut self) -> bool {
        let most = self.at.retries.limit.saturating_sub(1);
        let next = |spent: u32| if spent < most { spent.checked_add(1) } else { None };
        if let Some(shared) = self.counter() {
            return shared.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok();
        }
        let spent = next(self.at.retries.spent);
        spent.map(|spent| self.at.retries.spent = spent).is_some()
    }

    /// From here on several tasks count together.
    pub(super) fn share(&mut self) {
        let retries = self.at.retries;
        if retries.are_limited() && self.counter().is_none() {
            self.extra_mut().counter = Some(Arc::new(AtomicU32::new(retries.spent)));
        }
    }

    /// Both sides know what each of them has spent. It only grows, and only one side runs at a time.
    pub(super) fn join(&mut self, outer: &mut Self) {
        match (self.counter(), outer.counter()) {
            (Some(_), Some(_)) => {}
            (Some(shared), None) => {
                shared.fetch_max(outer.at.retries.spent, Ordering::Relaxed);
                outer.extra_mut().counter = Some(Arc::clone(shared));
            }
            (None, Some(shared)) => {
                shared.fetch_max(self.at.retries.spent, Ordering::Relaxed);
                let shared = Arc::clone(shared);
                self.extra_mut().counter = Some(shared);
            }
            (None, None) => {
                let (own, around) = (&mut self.at.retries.spent, &mut outer.at.retries.spent);
                let spent = (*own).max(*around);
                (*own, *around) = (spent, spent);
            }
        }
    }
}
