//! Groups that fail together: the worked examples.

use crate::scene::{FIFTH, HEALTHY, LOCKSTEP, THREE, down_for, head, millis, row, secs, with};
use retry_runtime::storm::{Arrivals, Fault, NO_BUDGET, Report, Storm};
use retry_runtime::{Budget, Jitter, Policy, Reason};
use std::collections::BTreeMap;

/// How many retries each client made that made any.
fn retries_by_client(report: &Report) -> BTreeMap<u32, u32> {
    let mut clients = BTreeMap::new();
    for sent in report.sent.iter().filter(|sent| sent.number > 1) {
        *clients.entry(sent.client).or_default() += 1;
    }
    clients
}

/// Room for nine attempts, so that one caller could take all eight retries.
const NINE: Policy =
    Policy::exponential(millis(100), millis(100)).max_attempts(9).deadline(secs(9));

#[test]
fn forty_calls_that_fail_in_one_second_make_forty_eight_sends() {
    for seed in 0..100 {
        for arrivals in [Arrivals::at_once(), Arrivals::constant(40.0, secs(1))] {
            let storm = Storm::new(NINE, down_for(secs(5))).clients(40).keep_sends();
            let report = storm.arrivals(arrivals).seed(seed).run(with(FIFTH)).unwrap();
            assert_eq!((report.calls, report.sends, report.retries), (40, 48, 8));
            assert_eq!(report.failures_by(Reason::BudgetExhausted), 40);
            assert_eq!(report.retries_stopped, 40);
            let retries = retries_by_client(&report);
            assert!(retries.len() > 1 && retries.values().all(|&taken| taken < 8), "{retries:?}");
            if arrivals == Arrivals::at_once() {
                assert_eq!(retries.len(), 8, "one each: {retries:?}");
            }
        }
    }
}

#[test]
fn twenty_requests_with_a_tenth_make_two_retries() {
    const TWICE: Policy = THREE.max_attempts(2);
    let run = |policy: Policy, budget, seed| {
        let storm = Storm::new(policy, down_for(secs(1))).clients(20).keep_sends();
        storm.seed(seed).run(with(budget)).unwrap()
    };
    // How long after the failure at 5 ms.
    let waits = |report: &Report| -> Vec<_> {
        let retries = report.sent.iter().filter(|sent| sent.number > 1);
        retries.map(|sent| sent.at - millis(5)).collect()
    };
    let lockstep = run(TWICE.jitter(Jitter::None), NO_BUDGET, 0);
    assert_eq!(waits(&lockstep), [millis(100); 20]);
    assert_eq!(lockstep.peak_retries, 20);

    let mut tenths = [0; 10];
    for seed in 0..100 {
        let jitter = run(TWICE, NO_BUDGET, seed);
        assert_eq!(jitter.retries, 20);
        for wait in waits(&jitter) {
            tenths[(wait.as_millis() as usize / 10).min(9)] += 1;
        }
        let paid = run(TWICE, Budget::ratio(0.1), seed);
        assert_eq!((paid.retries, paid.retries_stopped), (2, 18));
        assert!(waits(&paid).iter().all(|wait| *wait <= millis(100)));
    }
    println!("full jitter, 2000 waits in tenths of 100 ms: {tenths:?}");
    assert!(tenths.iter().all(|count| (150..=250).contains(count)), "{tenths:?}");
}

#[test]
fn full_jitter_with_a_budget_has_no_recovery_tail() {
    print!("{}", head());
    for window in [150, 200, 300, 400] {
        let group = |policy, budget| {
            let storm = Storm::new(policy, down_for(millis(window))).clients(40);
            storm.run(with(budget)).unwrap()
        };
        let (storm, calm) = (group(LOCKSTEP, NO_BUDGET), group(THREE, FIFTH));
        print!("{}", row(&format!("fault of {window} ms, lockstep, no budget"), &storm));
        print!("{}", row(&format!("fault of {window} ms, full jitter, 0.2"), &calm));
        assert_eq!(calm.recovery_tail, 0);
        // Lockstep comes at 0, 105 and 310 ms.
        assert_eq!(storm.recovery_tail, if window < 310 { 40 } else { 0 });
    }
}

#[test]
fn a_slow_failure_holds_requests_instead_of_sending_more() {
    // 80 ms, 100 ms of wait, 80 ms, 140 ms of wait, 80 ms.
    const SLOW: Policy = Policy::exponential(millis(100), secs(1))
        .multiplier(1.4)
        .jitter(Jitter::None)
        .attempt_timeout(millis(80))
        .deadline(secs(5));
    let silent = HEALTHY.fault(Fault::always(1.0).silent());
    let storm = Storm::new(SLOW, silent).clients(40).arrivals(Arrivals::constant(40.0, secs(60)));
    let report = storm.run(with(NO_BUDGET)).unwrap();
    let held = report.time_in_calls.as_secs_f64() / 60.0;
    println!("{held} requests are in flight on average, {} at most", report.most_in_flight);
    assert!((held - 19.2).abs() < 1e-6, "{held}");
    assert_eq!(report.most_in_flight, 20);
    assert_eq!(report.failures_by(Reason::AttemptLimit), 2_400);
}
