//! How many retries a request has spent, and how many it may spend.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The attempt limit of a request, and what was spent of it.
///
/// Within a task calls nest, and each tells the one around it what it spent; see [`Self::join`]. Tasks
/// run side by side, so they share one counter.
#[derive(Clone, Debug)]
pub(super) struct Retries {
    /// How many attempts the request may make; `u32::MAX` where nothing limits it.
    limit: u32,
    spent: u32,
    /// Counts instead of `spent` once the request runs in several tasks.
    shared: Option<Arc<AtomicU32>>,
}

impl Retries {
    pub(super) const UNLIMITED: Self = Self { limit: u32::MAX, spent: 0, shared: None };

    /// Of a call that is in no scope.
    pub(super) fn of(attempts: Option<NonZeroU32>) -> Self {
        Self { limit: attempts.map_or(u32::MAX, NonZeroU32::get), ..Self::UNLIMITED }
    }

    #[inline]
    pub(super) fn are_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// The limit and what was spent of it, unless several tasks count together.
    #[inline]
    pub(super) fn alone(&self) -> Option<(u32, u32)> {
        (!self.are_shared()).then_some((self.limit, self.spent))
    }

    pub(super) fn spent_alone(limit: u32, spent: u32) -> Self {
        Self { limit, spent, shared: None }
    }

    pub(super) fn limit(&mut self, attempts: u32) {
        self.limit = attempts;
    }

    /// The limit of the outermost call that retries is the limit of the request.
    pub(super) fn limit_once(&mut self, attempts: u32) {
        if self.limit == u32::MAX {
            self.limit = self.spent().saturating_add(attempts);
        }
    }

    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn set_spent(&mut self, spent: u32) {
        self.spent = spent;
    }

    pub(super) fn are_limited(&self) -> bool {
        self.limit != u32::MAX
    }

    #[cfg(any(feature = "http", feature = "serde"))]
    pub(super) fn limited_to(&self) -> Option<u32> {
        self.are_limited().then_some(self.limit)
    }

    #[inline]
    pub(super) fn spent(&self) -> u32 {
        self.shared.as_ref().map_or(self.spent, |shared| shared.load(Ordering::Relaxed))
    }

    pub(super) fn has_attempts_left(&self) -> bool {
        self.spent() < self.limit
    }

    /// How many retries are left; the first attempt is none.
    #[inline]
    pub(super) fn left(&self) -> u32 {
        match self.limit {
            u32::MAX => u32::MAX,
            limit => limit.saturating_sub(1).saturating_sub(self.spent()),
        }
    }

    /// Spends one retry, if there is one.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        let most = self.limit.saturating_sub(1);
        let next = |spent: u32| if spent < most { spent.checked_add(1) } else { None };
        match &self.shared {
            Some(shared) => shared.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok(),
            None => next(self.spent).map(|spent| self.spent = spent).is_some(),
        }
    }

    /// From here on several tasks count together.
    pub(super) fn share(&mut self) {
        if self.limit != u32::MAX && self.shared.is_none() {
            self.shared = Some(Arc::new(AtomicU32::new(self.spent)));
        }
    }

    /// Both sides know what each of them has spent. It only grows, and only one side runs at a time.
    pub(super) fn join(&mut self, outer: &mut Self) {
        match (&self.shared, &outer.shared) {
            (Some(_), Some(_)) => {}
            (Some(shared), None) => {
                shared.fetch_max(outer.spent, Ordering::Relaxed);
                outer.shared = Some(Arc::clone(shared));
            }
            (None, Some(shared)) => {
                shared.fetch_max(self.spent, Ordering::Relaxed);
                self.shared = Some(Arc::clone(shared));
            }
            (None, None) => {
                let spent = self.spent.max(outer.spent);
                (self.spent, outer.spent) = (spent, spent);
            }
        }
    }
}
