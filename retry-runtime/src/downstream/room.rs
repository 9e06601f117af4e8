//! Limits at work: room for one more attempt, now or later.

use super::limit::{ConcurrencyLimit, RateLimit};
use super::permit::Refusal;
use crate::error::Reason;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// The limits of one downstream.
#[derive(Debug)]
pub(super) struct Rooms {
    rate: Option<Rate>,
    places: Option<Places>,
}

/// Room for one attempt; a place is given back when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Room<'d>(Option<&'d Semaphore>);

impl<'d> Room<'d> {
    /// Not tokio's permit itself: lints of the user's crate take that for a lock which the call
    /// holds for too long.
    fn of(free: &'d Semaphore, place: SemaphorePermit<'d>) -> Self {
        place.forget();
        Self(Some(free))
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if let Some(free) = self.0 {
            free.add_permits(1);
        }
    }
}

/// No room now.
pub(super) enum Full {
    Refused(Refusal),
    /// The limit makes callers wait.
    Wait,
}

#[derive(Debug)]
struct Places {
    limit: ConcurrencyLimit,
    free: Semaphore,
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

    pub(super) const fn limit_rate(&mut self, limit: RateLimit) {
        self.rate = Some(Rate { limit, due: AtomicU64::new(0) });
    }

    pub(super) const fn limit_places(&mut self, limit: ConcurrencyLimit) {
        self.places = Some(Places { limit, free: Semaphore::const_new(limit.attempts as usize) });
    }

    /// Takes room if there is some at `now`, in nanoseconds of the downstream's clock.
    pub(super) fn enter(&self, now: impl Fn() -> u64) -> Result<Room<'_>, Full> {
        let place = match &self.places {
            None => Room::default(),
            Some(places) => match places.free.try_acquire() {
                Ok(place) => Room::of(&places.free, place),
                Err(_) if places.limit.waits => return Err(Full::Wait),
                Err(_) => return Err(Full::Refused(no_place())),
            },
        };
        if let Some(rate) = &self.rate {
            match rate.take(now(), Duration::ZERO) {
                Ok(_) => {}
                Err(_) if rate.limit.waits => return Err(Full::Wait),
                Err(early) => return Err(Full::Refused(too_early(early))),
            }
        }
        Ok(place)
    }

    /// A place, as soon as there is one.
    pub(super) async fn wait_for_place(&self) -> Room<'_> {
        match &self.places {
            // The semaphore is never closed.
            Some(Places { free, .. }) => {
                free.acquire().await.map_or_else(|_| Room::default(), |place| Room::of(free, place))
            }
            None => Room::default(),
        }
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
