//! How much load retries add: sends over calls.

use crate::scene::{FIFTH, HEALTHY, LOCKSTEP, THREE, down_for, head, millis, row, secs, with};
use retry_runtime::storm::{Arrivals, Fault, NO_BUDGET, Report, Server, Storm};
use retry_runtime::{Budget, Policy};

/// A thousand calls per second for 20 s, whoever makes them. Clients that share a downstream differ
/// in nothing but their number, so each number of clients has a seed of its own.
fn load(policy: Policy, server: Server, clients: u32) -> Storm {
    Storm::new(policy, server)
        .clients(clients)
        .arrivals(Arrivals::poisson(1_000.0, secs(20)))
        .seed(clients.into())
}

fn flaky(share: f64) -> Server {
    HEALTHY.fault(Fault::always(share))
}

#[test]
fn a_shared_budget_of_a_fifth_keeps_amplification_below_a_quarter() {
    print!("{}", head());
    for share in [0.5, 0.75] {
        for clients in [10, 100, 1_000] {
            // Finagle's reserve of 10 retries per second is a hundredth of this load.
            for (reserve, budget) in [("none", FIFTH), ("10/s", Budget::DEFAULT)] {
                let report = load(THREE, flaky(share), clients).run(with(budget)).unwrap();
                let name = format!("fail {share}, {clients} clients, reserve {reserve}");
                print!("{}", row(&name, &report));
                assert!(report.amplification() <= 1.25, "{name}: {}", report.amplification());
                assert!(report.amplification() > 1.19, "{name}: {}", report.amplification());
            }
        }
    }
}

#[test]
fn the_budget_is_no_hindrance_while_few_calls_fail() {
    print!("{}", head());
    for clients in [10, 100, 1_000] {
        let report = load(THREE, flaky(0.05), clients).run(with(FIFTH)).unwrap();
        print!("{}", row(&format!("fail 0.05, {clients} clients, reserve none"), &report));
        assert!(report.success_rate() >= 0.9995, "{}", report.success_rate());
        assert!(report.amplification() < 1.06, "{}", report.amplification());
    }
}

/// What the budget prevents: every call spends all of its attempts.
#[test]
fn without_a_budget_attempts_multiply() {
    print!("{}", head());
    for (share, expected) in [(0.5, 1.75), (0.75, 2.3125)] {
        for clients in [10, 100, 1_000] {
            let report = load(LOCKSTEP, flaky(share), clients).run(with(NO_BUDGET)).unwrap();
            let name = format!("fail {share}, {clients} clients, lockstep, no budget");
            print!("{}", row(&name, &report));
            assert!((report.amplification() / expected - 1.0).abs() < 0.03);
        }
    }
}

/// A reserve for each of many clients adds up: share the downstream, and keep the reserve small.
#[test]
fn a_budget_for_each_client_leaks_its_reserve() {
    print!("{}", head());
    let of = |clients| {
        let storm = load(THREE, flaky(0.5), clients).downstream_each();
        let report = storm.run(with(Budget::DEFAULT)).unwrap();
        print!("{}", row(&format!("fail 0.5, {clients} clients, reserve 10/s each"), &report));
        report.amplification()
    };
    let (few, many) = (of(10), of(1_000));
    assert!(few < 1.35, "{few}");
    assert!(many > 1.7, "{many}: a reserve of 10,000 per second stops nothing");
}

/// An outage of two seconds in the middle of the same load.
#[test]
fn lockstep_without_a_budget_shows_the_spike_and_the_tail() {
    print!("{}", head());
    let outage = HEALTHY.fault(Fault::between(secs(5), secs(7)));
    for clients in [10, 100, 1_000] {
        let run = |policy, budget| load(policy, outage, clients).run(with(budget)).unwrap();
        let (storm, calm) = (run(LOCKSTEP, NO_BUDGET), run(THREE, FIFTH));
        print!("{}", row(&format!("outage, {clients} clients, lockstep, no budget"), &storm));
        print!("{}", row(&format!("outage, {clients} clients, full jitter, 0.2"), &calm));
        assert!(storm.recovery_tail > 8 * calm.recovery_tail);
        assert!(storm.peak_retries > 2 * calm.peak_retries);
        assert!(storm.retries > 4 * calm.retries);
    }
    // All at once, and the spike is the whole group.
    for clients in [10, 100, 1_000] {
        let group = |policy, budget| {
            let storm = Storm::new(policy, down_for(millis(300))).clients(clients);
            storm.run(with(budget)).unwrap()
        };
        let (storm, calm) = (group(LOCKSTEP, NO_BUDGET), group(THREE, FIFTH));
        print!("{}", row(&format!("group of {clients}, lockstep, no budget"), &storm));
        print!("{}", row(&format!("group of {clients}, full jitter, 0.2"), &calm));
        let all = u64::from(clients);
        assert_eq!((storm.peak_retries, storm.recovery_tail), (all, all));
        assert_eq!((calm.sends, calm.recovery_tail), (all + all / 5, 0));
    }
}

/// The figures of mbrooker/simulator_example `retry_sim`, computed anew: 100 clients, ten calls a
/// second each, at several rates of failure. Ours are means of five runs.
fn compare(published: [(f64, f64, f64); 4], budget: Budget) {
    const RUNS: u32 = 5;
    for (share, success, amplification) in published {
        let run = |seed| load(FOUR, flaky(share), 100).seed(seed).run(with(budget)).unwrap();
        let reports: Vec<_> = (0..RUNS).map(|seed| run(seed.into())).collect();
        let mean =
            |figure: fn(&Report) -> f64| reports.iter().map(figure).sum::<f64>() / f64::from(RUNS);
        let ours = (mean(Report::success_rate), mean(Report::amplification));
        println!("fail {share}: {ours:.4?}, published ({success}, {amplification})");
        assert!((ours.0 / success - 1.0).abs() < 0.03);
        assert!((ours.1 / amplification - 1.0).abs() < 0.03);
    }
}

const FOUR: Policy = THREE.max_attempts(4);

#[test]
fn three_retries_without_a_budget_as_published() {
    let published =
        [(0.05, 1.0, 1.052), (0.2, 0.9988, 1.253), (0.5, 0.9379, 1.878), (0.75, 0.6857, 2.721)];
    compare(published, NO_BUDGET);
}

/// Theirs is a bucket of five tokens for each client, full at the start; ours is shared and starts
/// with nothing. A hundred full buckets are 500 retries in 20,000 calls, which is within the bounds.
#[test]
fn a_token_bucket_of_a_tenth_as_published() {
    let published =
        [(0.05, 0.9998, 1.053), (0.2, 0.8992, 1.117), (0.5, 0.5625, 1.121), (0.75, 0.2781, 1.122)];
    compare(published, Budget::ratio(0.1));
}
