//! Limits at work: room for one more attempt, now or later.

use super::clock::NANOS_PER_SECOND;
use super::limit::{ConcurrencyLimit, RateLimit};
use super::permit::{NotNow, Refusal};
use crate::error::Reason;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;
#[cfg(feature = "waiting")]
use tokio::sync::{Semaphore, SemaphorePermit};

/// The limits of one downstream.
#[derive(Debug)]
pub(super) struct Rooms {
    rate: Option<Rate>,
    places: Option<Places>,
}

/// Places for attempts that run side by side.
#[derive(Debug)]
enum Places {
    /// How many are free; who finds none is refused.
    Counted(AtomicU32),
    /// Who finds none waits. Giving one back takes a lock, for the queue.
    #[cfg(feature = "waiting")]
    Queued(Semaphore),
}

impl Places {
    const fn new(limit: ConcurrencyLimit) -> Self {
        #[cfg(feature = "waiting")]
        if limit.waits {
            return Self::Queued(Semaphore::const_new(limit.attempts as usize));
        }
        Self::Counted(AtomicU32::new(limit.attempts))
    }

    fn take(&self) -> Result<(), NotNow> {
        match self {
            Self::Counted(free) => {
                let less = |free: u32| free.checked_sub(1);
                free.fetch_update(Acquire, Relaxed, less)
                    .map(drop)
                    .map_err(|_| NotNow::Refused(no_place()))
            }
            #[cfg(feature = "waiting")]
            // Not tokio's permit itself: lints of the user's crate take that for a lock which the
            // call holds for too long.
            Self::Queued(free) => {
                free.try_acquire().map(SemaphorePermit::forget).map_err(|_| NotNow::Wait)
            }
        }
    }

    #[cfg_attr(not(feature = "waiting"), expect(clippy::unused_async, reason = "others wait"))]
    async fn wait(&self) -> Result<(), Refusal> {
        match self {
            Self::Counted(_) => self.take().map_err(|_| no_place()),
            #[cfg(feature = "waiting")]
            // The semaphore is never closed.
            Self::Queued(free) => {
                free.acquire().await.map(SemaphorePermit::forget).map_err(|_| no_place())
            }
        }
    }

    fn give_back(&self) {
        match self {
            Self::Counted(free) => {
                free.fetch_add(1, Release);
            }
            #[cfg(feature = "waiting")]
            Self::Queued(free) => free.add_permits(1),
        }
    }
}

/// The generic cell rate algorithm: one word, the time at which the next attempt is due.
#[derive(Debug)]
struct Rate {
    limit: RateLimit,
    due: AtomicU64,
}

impl Rooms {
    pub(super) const fn new() -> Self {
        Self { rate: None, places: None }
    }

    pub(super) const fn are_none(&self) -> bool {
        self.rate.is_none() && self.places.is_none()
    }

    pub(super) const fn limit_rate(&mut self, limit: RateLimit) {
        self.rate = Some(Rate { limit, due: AtomicU64::new(0) });
    }

    pub(super) const fn limit_places(&mut self, limit: ConcurrencyLimit) {
        self.places = Some(Places::new(limit));
    }

    /// Takes room if there is some at `now`, in nanoseconds of the downstream's clock. Says whether
    /// that is a place, which [`leave`](Self::leave) gives back.
    #[inline]
    pub(super) fn enter(&self, now: impl Fn() -> u64) -> Result<bool, NotNow> {
        if let Some(places) = &self.places {
            places.take()?;
        }
        if let Some(rate) = &self.rate {
            if let Err(early) = rate.take(now(), Duration::ZERO) {
                self.leave();
                let refused = NotNow::Refused(too_early(early));
                return Err(if rate.limit.waits { NotNow::Wait } else { refused });
            }
        }
        Ok(self.places.is_some())
    }

    /// Gives a place back.
    pub(super) fn leave(&self) {
        if let Some(places) = &self.places {
            places.give_back();
        }
    }

    /// A place, as soon as there is one. Says whether there is a limit at all.
    pub(super) async fn wait_for_place(&self) -> Result<bool, Refusal> {
        if let Some(places) = &self.places {
            places.wait().await?;
        }
        Ok(self.places.is_some())
    }

    /// Takes a turn at the rate, and says how long it is to be waited for; no longer than `most`.
    pub(super) fn take_turn(&self, now: u64, most: Duration) -> Result<Duration, Refusal> {
        match &self.rate {
            None => Ok(Duration::ZERO),
            Some(rate) if rate.limit.waits => rate.take(now, most).map_err(too_early),
            Some(rate) => rate.take(now, Duration::ZERO).map_err(too_early),
        }
    }
}

pub(super) fn no_place() -> Refusal {
    Refusal { reason: Reason::ConcurrencyLimited, come_back_in: Duration::ZERO }
}

fn too_early(come_back_in: Duration) -> Refusal {
    Refusal { reason: Reason::RateLimited, come_back_in }
}

impl Rate {
    /// How long to wait for the turn that is taken; an error says how long it would be.
    fn take(&self, now: u64, most: Duration) -> Result<Duration, Duration> {
        let interval = NANOS_PER_SECOND / u64::from(self.limit.per_second);
        // The clock is too coarse for more than 10^9 per second, and threads read it out of order.
        if interval == 0 {
            return Ok(Duration::ZERO);
        }
        let ahead = interval.saturating_mul(u64::from(self.limit.burst) - 1);
        let mut due = self.due.load(Relaxed);
        loop {
            let turn = due.max(now);
            let wait = Duration::from_nanos((turn - now).saturating_sub(ahead));
            if wait > most {
                return Err(wait);
            }
            let next = turn.saturating_add(interval);
            match self.due.compare_exchange_weak(due, next, Relaxed, Relaxed) {
                Ok(_) => return Ok(wait),
                Err(other) => due = other,
            }
        }
    }
}
