//! A breaker protects a downstream that is down, and brings traffic back step by step.

use crate::scene::{FIFTH, HEALTHY, THREE, head, millis, row, secs};
use retry_runtime::storm::{Arrivals, Fault, Report, Storm};
use retry_runtime::{Breaker, Downstream, Reason};
use std::time::Duration;

/// Open for 5 s, then 10 s at most, and ten seconds to come back.
const BREAKER: Breaker =
    Breaker::consecutive(5).open_for(secs(5)).max_open_for(secs(10)).recover_over(secs(10));

const RATE: f64 = 1_000.0;
const DOWN: Duration = secs(20);
const UP: Duration = secs(80);

/// A thousand calls per second, and a minute of them without a server.
fn outage(seed: u64) -> Storm {
    Storm::new(THREE, HEALTHY.fault(Fault::between(DOWN, UP)))
        .clients(100)
        .arrivals(Arrivals::constant(RATE, secs(120)))
        .keep_sends()
        .seed(seed)
}

fn sends_within(report: &Report, from: Duration, until: Duration) -> usize {
    report.sent.iter().filter(|sent| from <= sent.at && sent.at < until).count()
}

#[test]
fn a_minute_of_outage_costs_a_handful_of_sends() {
    print!("{}", head());
    let budget = || Downstream::new("leaf").budget(FIFTH);
    let bare = outage(1).run(budget).unwrap();
    print!("{}", row("outage of 60 s, budget alone", &bare));
    assert!(sends_within(&bare, DOWN, UP) > 60_000);
    for seed in 0..5 {
        let report = outage(seed).run(|| budget().breaker(BREAKER)).unwrap();
        let sends = sends_within(&report, DOWN, UP);
        print!("{}", row(&format!("the same with a breaker: {sends} sends meanwhile"), &report));
        // Five failures open it, and what is in flight then fails too; then one probe in 5 to 12 s.
        assert!(sends < 40, "{sends}");
        assert!(report.failures_by(Reason::CircuitOpen) > 59_000);
    }
}

#[test]
fn traffic_comes_back_by_the_ramp() {
    let report = outage(2).run(|| Downstream::new("leaf").budget(FIFTH).breaker(BREAKER)).unwrap();
    // The first request after the outage is the probe; the ramp begins with its answer.
    let probe = report.sent.iter().find(|sent| sent.at >= UP).unwrap().at;
    assert!(probe < UP + secs(12), "a probe comes at most one open time later: {probe:?}");
    let begins = probe + millis(8);
    for second in 0..10_u32 {
        let from = begins + secs(1) * second;
        let sends = sends_within(&report, from, from + secs(1));
        let share = f64::from(u32::try_from(sends).unwrap()) / RATE;
        let formula = (0.1 * (f64::from(second) + 0.5)).max(0.1);
        println!("second {second}: {share:.3} of the traffic, by the formula {formula:.3}");
        assert!((share - formula).abs() < 0.05, "second {second}: {share}");
    }
    let after = begins + secs(10);
    assert_eq!(sends_within(&report, after, after + secs(1)), 1_000, "then all of it");
    assert_eq!(sends_within(&report, probe, begins), 1, "nobody else while the probe runs");
}
