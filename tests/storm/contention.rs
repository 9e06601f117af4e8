//! Clients that contend for one row: what jitter buys.
//!
//! Source: aws-samples/aws-arch-backoff-simulator `src/backoff_simulator.py`, behind the article
//! "Exponential Backoff and Jitter" (2015). It publishes plots; the numbers were computed anew from
//! 100 runs of it. `tests/conformance/contention.rs` has real loops do the same.

use crate::scene::{FIFTH, millis, secs, with};
use retry_runtime::storm::{Contention, NO_BUDGET, StormError};
use retry_runtime::{ConcurrencyLimit, Downstream, Jitter, Policy};

/// Writes and milliseconds until all clients have written, on average.
#[derive(Clone, Copy, Debug)]
struct Mean {
    writes: f64,
    millis: f64,
}

fn mean(clients: u32, policy: Policy, runs: u32) -> Mean {
    let (mut writes, mut millis) = (0, 0.0);
    for seed in 0..runs {
        let contention = Contention::new(policy).clients(clients).seed(seed.into());
        let contended = contention.run(with(NO_BUDGET)).unwrap();
        assert_eq!(contended.successes, u64::from(clients));
        writes += u32::try_from(contended.writes).unwrap();
        millis += contended.took.as_secs_f64() * 1e3;
    }
    Mean { writes: f64::from(writes) / f64::from(runs), millis: millis / f64::from(runs) }
}

/// The five kinds: exponential, decorrelated, equal, full, and no backoff at all. A first delay of
/// 5 is doubled before it is used, except by the decorrelated kind.
fn policies() -> [Policy; 5] {
    let doubled = Policy::exponential(millis(10), secs(2));
    [
        doubled.jitter(Jitter::None),
        Policy::exponential(millis(5), secs(2)).jitter(Jitter::Decorrelated),
        doubled.jitter(Jitter::Equal),
        doubled,
        Policy::fixed(std::time::Duration::from_nanos(1)).jitter(Jitter::None),
    ]
    .map(|policy| policy.max_attempts(10_000).deadline(secs(86_400)))
}

/// Within so much of the published means. Gives ours.
fn compare(clients: u32, runs: u32, published: [(f64, f64); 5]) -> [Mean; 5] {
    std::array::from_fn(|kind| {
        let mean = mean(clients, policies()[kind], runs);
        let (writes, millis) = published[kind];
        println!("{clients} clients, kind {kind}: {mean:.1?}, published ({writes}, {millis})");
        assert!((mean.writes / writes - 1.0).abs() < 0.06);
        assert!((mean.millis / millis - 1.0).abs() < 0.15);
        mean
    })
}

#[test]
fn ten_clients() {
    let published = [(51.6, 3_751.0), (37.4, 431.0), (42.4, 724.0), (39.0, 472.0), (50.5, 379.0)];
    compare(10, 200, published);
}

#[test]
fn fifty_clients() {
    let published =
        [(629.9, 36_931.0), (374.3, 2_207.0), (346.0, 4_262.0), (332.3, 2_837.0), (689.8, 1_144.0)];
    compare(50, 60, published);
}

#[test]
fn a_hundred_clients_write_least_and_are_fast_with_full_jitter() {
    let published = [
        (1_865.0, 64_226.0),
        (1_001.0, 4_704.0),
        (812.0, 6_611.0),
        (797.0, 4_884.0),
        (2_428.0, 2_032.0),
    ];
    let [exponential, decorrelated, equal, full, _] = compare(100, 60, published);
    assert!(full.writes < 0.5 * exponential.writes);
    assert!(full.millis < 0.1 * exponential.millis);
    assert!(decorrelated.writes >= 1.15 * full.writes);
    assert!(equal.millis > 1.25 * full.millis);
}

#[test]
fn one_client_alone_writes_once_and_a_seed_repeats_itself() {
    let [.., full, _] = policies();
    let alone = Contention::new(full).clients(1).way(millis(10), millis(0));
    let contended = alone.run(with(NO_BUDGET)).unwrap();
    assert_eq!((contended.writes, contended.successes, contended.took), (1, 1, millis(40)));

    let run = |seed| Contention::new(full).seed(seed).run(with(NO_BUDGET)).unwrap();
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

#[test]
fn attempts_and_budget_end_before_all_have_written() {
    let [.., full, _] = policies();
    let three = Contention::new(full.max_attempts(3)).run(with(NO_BUDGET)).unwrap();
    assert!(three.successes < 100 && three.writes <= 300, "{three:?}");
    let paid = Contention::new(full).run(with(FIFTH)).unwrap();
    assert!(paid.writes <= 120 && paid.successes < three.successes, "{paid:?}");
}

#[test]
fn what_cannot_be_simulated_is_refused_with_a_sentence() {
    let [.., full, _] = policies();
    let refused = |contention: Contention| contention.run(with(NO_BUDGET)).unwrap_err();
    assert_eq!(refused(Contention::new(full).clients(0)), StormError::Clients);
    let cut = Contention::new(full.attempt_timeout(secs(1)));
    assert_eq!(refused(cut), StormError::AttemptTimeout);
    assert!(matches!(refused(Contention::new(full.max_attempts(0))), StormError::Policy(_)));
    let waits = || Downstream::new("row").concurrency_limit(ConcurrencyLimit::new(1).waiting());
    assert_eq!(Contention::new(full).run(waits).unwrap_err(), StormError::WaitingLimit);
}
