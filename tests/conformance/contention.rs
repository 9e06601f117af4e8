//! Many clients that write one row by optimistic concurrency, and what jitter does for them.
//!
//! Source: aws-samples/aws-arch-backoff-simulator `src/backoff_simulator.py`, behind the article
//! "Exponential Backoff and Jitter" (2015). It publishes plots; the numbers were computed anew from
//! 100 runs of it. A millisecond there is a second here, since timers count whole milliseconds.

use crate::time::secs;
use crate::unchecked;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use retry_runtime::{Budget, Class, Classify, Downstream, Jitter, Policy};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

/// Somebody else wrote the row first.
#[derive(Clone, Copy, Debug)]
struct Conflict;

impl Classify for Conflict {
    fn classify(&self) -> Class {
        Class::TRANSIENT
    }
}

/// A row with a version, the network before it, and the retries of all its clients.
struct Row {
    version: Cell<u32>,
    writes: Cell<u32>,
    random: RefCell<StdRng>,
    downstream: Downstream,
}

impl Row {
    fn new(seed: u64) -> Self {
        let random = RefCell::new(StdRng::seed_from_u64(seed));
        // Contention is not an outage: no budget in the way.
        let downstream = Downstream::new("row").budget(Budget::ratio(1.0).per_second(1_000_000));
        Self { version: Cell::new(0), writes: Cell::new(0), random, downstream }
    }

    /// 10 on average, with a standard deviation of 2: the sum of twelve numbers from 0 to 1 has one
    /// of 1, and is close to a normal distribution.
    fn delay(&self) -> Duration {
        let mut random = self.random.borrow_mut();
        let sum: f64 = (0..12).map(|_| random.random::<f64>()).sum();
        Duration::from_secs_f64(10.0 + 2.0 * (sum - 6.0))
    }

    /// Reads the version, and writes if it is still the same.
    async fn update(&self) -> Result<(), Conflict> {
        sleep(self.delay()).await;
        let version = self.version.get();
        sleep(self.delay() + self.delay()).await;
        self.writes.update(|writes| writes + 1);
        let first = self.version.get() == version;
        self.version.update(|version| version + u32::from(first));
        sleep(self.delay()).await;
        if first { Ok(()) } else { Err(Conflict) }
    }
}

/// Writes and seconds until all clients have succeeded, on average.
async fn contention(clients: u32, policy: Policy, runs: u32) -> (f64, f64) {
    let (mut writes, mut seconds) = (0, 0.0);
    for run in 0..runs {
        let (row, start, set) =
            (Rc::new(Row::new(u64::from(run))), Instant::now(), LocalSet::new());
        for _ in 0..clients {
            let row = Rc::clone(&row);
            set.spawn_local(async move {
                unchecked::run(policy, &row.downstream, None, async || row.update().await).await
            });
        }
        set.await;
        assert_eq!(row.version.get(), clients);
        (writes, seconds) = (writes + row.writes.get(), seconds + start.elapsed().as_secs_f64());
    }
    (f64::from(writes) / f64::from(runs), seconds / f64::from(runs))
}

/// The five kinds: exponential, decorrelated, equal, full, and no backoff at all. A first delay of
/// 5 is doubled before it is used, except by the decorrelated kind.
fn policies() -> [Policy; 5] {
    let doubled = Policy::exponential(secs(10), secs(2_000));
    [
        doubled.jitter(Jitter::None),
        Policy::exponential(secs(5), secs(2_000)).jitter(Jitter::Decorrelated),
        doubled.jitter(Jitter::Equal),
        doubled,
        Policy::immediate(),
    ]
    .map(|policy| policy.max_attempts(u32::MAX))
}

/// The means of as many runs: writes within a tenth of the published ones, and seconds, whose spread
/// is larger, within a third. Gives the means.
async fn rows(clients: u32, runs: u32, published: [(f64, f64); 5]) -> [(f64, f64); 5] {
    let mut means = [(0.0, 0.0); 5];
    for (kind, (writes, seconds)) in published.into_iter().enumerate() {
        let mean = contention(clients, policies()[kind], runs).await;
        let off = (mean.0 / writes - 1.0, mean.1 / seconds - 1.0);
        assert!(off.0.abs() < 0.1 && off.1.abs() < 0.34, "{clients} clients, {kind}: {mean:?}");
        means[kind] = mean;
    }
    means
}

#[tokio::test(start_paused = true)]
async fn ten_clients() {
    let published = [(51.6, 3_751.0), (37.4, 431.0), (42.4, 724.0), (39.0, 472.0), (50.5, 379.0)];
    rows(10, 40, published).await;
}

#[tokio::test(start_paused = true)]
async fn fifty_clients() {
    let published =
        [(629.9, 36_931.0), (374.3, 2_207.0), (346.0, 4_262.0), (332.3, 2_837.0), (689.8, 1_144.0)];
    rows(50, 10, published).await;
}

/// And how the kinds compare: full jitter writes least and is among the fastest of those that wait.
#[tokio::test(start_paused = true)]
async fn a_hundred_clients() {
    let published = [
        (1_865.0, 64_226.0),
        (1_001.0, 4_704.0),
        (812.0, 6_611.0),
        (797.0, 4_884.0),
        (2_428.0, 2_032.0),
    ];
    let [exponential, decorrelated, ..] = rows(100, 8, published).await;
    let [_, _, equal, full, _] = policies();
    let (equal, full) = (contention(100, equal, 24).await, contention(100, full, 24).await);
    assert!(full.0 < 0.5 * exponential.0 && full.1 < 0.1 * exponential.1);
    assert!(decorrelated.0 >= 1.15 * full.0);
    // The published means of a hundred runs are 1.35 to 1.
    assert!(equal.1 > 1.1 * full.1);
}

#[tokio::test(start_paused = true)]
async fn many_clients() {
    let published = [
        (5_152.0, 100_726.0),
        (2_429.0, 7_829.0),
        (1_757.0, 9_300.0),
        (1_771.0, 7_321.0),
        (8_007.0, 3_535.0),
    ];
    rows(190, 3, published).await;
}
