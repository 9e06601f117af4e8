//! One seed, one set of figures.

use crate::scene::{THREE, millis, secs};
use retry_runtime::storm::{Arrivals, Fault, Report, Server, ServiceTime, Storm};
use retry_runtime::{Breaker, Downstream, Jitter, Policy};

/// Everything in it that is drawn: arrivals, service, faults, waits, open times, the ramp.
fn run(policy: Policy, seed: u64) -> Report {
    let server = Server::new(ServiceTime::exponential(millis(8)))
        .capacity(20)
        .queue(50)
        .fault(Fault::between(secs(2), secs(4)).share(0.9));
    let breaker = Breaker::failure_ratio(0.5).open_for(millis(500)).recover_over(secs(2));
    Storm::new(policy.attempt_timeout(millis(100)), server)
        .clients(50)
        .arrivals(Arrivals::poisson(500.0, secs(10)))
        .keep_sends()
        .seed(seed)
        .run(|| Downstream::new("leaf").breaker(breaker))
        .unwrap()
}

#[test]
fn the_same_seed_gives_the_same_figures_and_another_gives_others() {
    for jitter in [Jitter::Full, Jitter::Equal, Jitter::Decorrelated, Jitter::None] {
        let first = run(THREE.jitter(jitter), 7);
        assert_eq!(first, run(THREE.jitter(jitter), 7));
        assert_ne!(first.sent, run(THREE.jitter(jitter), 8).sent);
        assert_eq!(first.calls, first.successes + first.failures.iter().map(|f| f.1).sum::<u64>());
    }
}

#[test]
fn bins_add_up_to_the_whole() {
    let report = run(THREE, 3);
    let sum =
        |count: fn(&retry_runtime::storm::Bin) -> u64| report.bins.iter().map(count).sum::<u64>();
    assert_eq!(report.calls, sum(|bin| bin.calls));
    assert_eq!(report.sends, sum(|bin| bin.sends));
    assert_eq!(report.retries, sum(|bin| bin.retries));
    assert_eq!(report.successes, sum(|bin| bin.successes));
    assert_eq!(report.calls, report.successes + sum(|bin| bin.failures));
    assert!(report.bins.is_sorted_by(|one, next| one.from < next.from));
    let peak = report.bins.iter().map(|bin| bin.retries).max();
    assert_eq!(Some(report.peak_retries), peak, "bins are 10 ms wide by default");
}
