//! The same features by hand, as far as they go on a page: a deadline, a timeout per attempt, jitter, a
//! budget of a share of the calls and some retries per second, and a breaker by failures in a row.
//!
//! There are no reasons, no hints of the server, no scope, and nobody who observes.

use super::super::body::{Body, Failed};
use super::super::{ATTEMPT, ATTEMPTS, BASE, CAP, DEADLINE};
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};

const TOKEN: u64 = 1_000;
const MOST: u64 = 100_000 * TOKEN;
const PER_CALL: u64 = TOKEN;
/// Pays for two retries a call, as the budget of the others does.
const PER_MILLISECOND: u64 = 1_000 * TOKEN;
const FAILURES: u32 = 5;
const OPEN: Duration = Duration::from_secs(30);

static SERVICE: Service = Service {
    began: OnceLock::new(),
    tokens: AtomicU64::new(100 * TOKEN),
    paid_until: AtomicU64::new(0),
    failures: AtomicU32::new(0),
    open_until: AtomicU64::new(0),
};

struct Service {
    began: OnceLock<Instant>,
    tokens: AtomicU64,
    /// In milliseconds, as are the times below.
    paid_until: AtomicU64,
    failures: AtomicU32,
    open_until: AtomicU64,
}

impl Service {
    fn millis(&self, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(*self.began.get_or_init(|| now));
        u64::try_from(passed.as_millis()).unwrap_or(u64::MAX)
    }

    fn is_open(&self, now: Instant) -> bool {
        let until = self.open_until.load(Relaxed);
        until != 0 && self.millis(now) < until
    }

    fn add(&self, tokens: u64) {
        if self.tokens.load(Relaxed) < MOST {
            let more = |held: u64| Some((held + tokens).min(MOST));
            // The update always gives a value.
            let _ = self.tokens.fetch_update(Relaxed, Relaxed, more);
        }
    }

    fn pays(&self, now: Instant) -> bool {
        let (now, from) = (self.millis(now), self.paid_until.load(Relaxed));
        if now > from && self.paid_until.compare_exchange(from, now, Relaxed, Relaxed).is_ok() {
            self.add((now - from).saturating_mul(PER_MILLISECOND));
        }
        self.tokens.fetch_update(Relaxed, Relaxed, |held| held.checked_sub(TOKEN)).is_ok()
    }

    fn succeeded(&self) {
        if self.failures.load(Relaxed) != 0 {
            self.failures.store(0, Relaxed);
        }
    }

    fn failed(&self, now: Instant) {
        if self.failures.fetch_add(1, Relaxed) + 1 >= FAILURES {
            let open = u64::try_from(OPEN.as_millis()).unwrap_or(u64::MAX);
            self.open_until.store(self.millis(now) + open, Relaxed);
        }
    }
}

pub(super) async fn complete<B: Body>(number: u64) -> Result<u64, Failed> {
    let mut now = Instant::now();
    let deadline = now + DEADLINE;
    let mut attempt = 1;
    loop {
        if now >= deadline || SERVICE.is_open(now) {
            return Err(Failed);
        }
        let result = timeout_at(deadline.min(now + ATTEMPT), B::run(number)).await;
        if attempt == 1 {
            SERVICE.add(PER_CALL);
        }
        if let Ok(Ok(number)) = result {
            SERVICE.succeeded();
            return Ok(number);
        }
        now = Instant::now();
        SERVICE.failed(now);
        let limit = (BASE * (1 << (attempt - 1))).min(CAP);
        let end = now + rand::random_range(Duration::ZERO..=limit);
        if attempt == ATTEMPTS || end >= deadline || !SERVICE.pays(now) {
            return Err(Failed);
        }
        sleep_until(end).await;
        now = Instant::now();
        attempt += 1;
    }
}
