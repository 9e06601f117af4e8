//! The model of the far side, and what a storm refuses to simulate.

use crate::scene::{FIFTH, HEALTHY, THREE, head, millis, row, secs, with};
use retry_runtime::storm::{Arrivals, Fault, NO_BUDGET, Server, ServiceTime, Storm, StormError};
use retry_runtime::{ConcurrencyLimit, Downstream, Jitter, Policy, Reason};
use std::ops::ControlFlow;

const ONCE: Policy = Policy::once().deadline(secs(10));

#[test]
fn requests_beyond_the_capacity_wait_in_order_and_beyond_the_queue_are_refused() {
    let server = Server::new(ServiceTime::constant(millis(10))).capacity(2);
    let patient = Storm::new(ONCE, server).clients(10).run(with(FIFTH)).unwrap();
    assert_eq!(
        (patient.successes, patient.p50, patient.p99),
        (10, Some(millis(30)), Some(millis(50)))
    );

    let bounded = Storm::new(ONCE, server.queue(3)).clients(10).run(with(FIFTH)).unwrap();
    assert_eq!((bounded.successes, bounded.failures_by(Reason::AttemptLimit)), (5, 5));
    assert_eq!(bounded.p99, Some(millis(30)), "two at once, and the last of three in the queue");
}

#[test]
fn places_are_free_again_when_the_work_is_done() {
    let server = Server::new(ServiceTime::constant(millis(10))).capacity(2).queue(0);
    let run = |per_second| {
        let storm = Storm::new(ONCE, server).arrivals(Arrivals::constant(per_second, secs(10)));
        storm.run(with(FIFTH)).unwrap()
    };
    assert_eq!(run(200.0).success_rate(), 1.0);
    assert!((run(400.0).success_rate() - 0.5).abs() < 0.001);
}

#[test]
fn a_server_works_on_for_callers_that_have_gone_away() {
    // Twice what it can do, and callers that wait for 50 ms: soon it only works for the dead.
    let server = Server::new(ServiceTime::constant(millis(10))).capacity(1);
    let storm = Storm::new(ONCE.attempt_timeout(millis(50)), server)
        .arrivals(Arrivals::constant(200.0, secs(10)))
        .bins(secs(1));
    let report = storm.run(with(FIFTH)).unwrap();
    let goodput: Vec<_> = report.bins.iter().map(|bin| bin.successes).collect();
    println!("goodput per second: {goodput:?}");
    assert!(goodput[0] < 20 && goodput[1..].iter().all(|&successes| successes == 0));
}

/// A server with a fifth of its capacity to spare, and an outage of three seconds. Who comes back in
/// lockstep fills the queue; answers then come after the timeout, and retries keep it full for good.
#[test]
fn goodput_comes_back_with_a_budget_and_not_without() {
    print!("{}", head());
    let server = Server::new(ServiceTime::exponential(millis(8)))
        .capacity(8)
        .queue(400)
        .fault(Fault::between(secs(5), secs(8)));
    let run = |policy: Policy, budget| {
        Storm::new(policy, server)
            .clients(100)
            .arrivals(Arrivals::poisson(800.0, secs(30)))
            .bins(secs(1))
            .run(with(budget))
            .unwrap()
    };
    let goodput = |report: &retry_runtime::storm::Report| -> Vec<_> {
        report.bins.iter().map(|bin| bin.successes).collect()
    };
    const SLOW: Policy = Policy::exponential(millis(500), secs(1))
        .max_attempts(4)
        .attempt_timeout(millis(150))
        .deadline(secs(10));
    let (storm, calm) = (run(SLOW.jitter(Jitter::None), NO_BUDGET), run(SLOW, FIFTH));
    print!("{}", row("outage of 3 s, lockstep, no budget", &storm));
    println!("goodput per second: {:?}", goodput(&storm));
    print!("{}", row("outage of 3 s, full jitter, 0.2", &calm));
    println!("goodput per second: {:?}", goodput(&calm));
    let after = |report| goodput(report)[15..30].iter().sum::<u64>();
    assert!(after(&calm) > 15 * 780, "{}", after(&calm));
    assert!(after(&storm) < after(&calm) / 2, "{}", after(&storm));
}

#[test]
fn arrivals_are_what_they_say() {
    let count = |arrivals| {
        let storm = Storm::new(ONCE, HEALTHY).clients(7).arrivals(arrivals).keep_sends();
        storm.run(with(FIFTH)).unwrap()
    };
    assert_eq!(count(Arrivals::at_once()).sends, 7);
    let constant = count(Arrivals::constant(500.0, secs(2)));
    assert_eq!(constant.sends, 1_000);
    assert!(constant.sent.windows(2).all(|pair| pair[1].at - pair[0].at == millis(2)));
    assert!(constant.sent.iter().all(|sent| u64::from(sent.client) == sent.call % 7));
    let poisson = count(Arrivals::poisson(500.0, secs(100)));
    let sends = i64::try_from(poisson.sends).unwrap();
    assert!((sends - 50_000).abs() < 1_000, "{sends}");
    for client in 0..7 {
        let own = poisson.sent.iter().filter(|sent| sent.client == client).count();
        assert!(own.abs_diff(50_000 / 7) < 400, "{own} of client {client}");
    }
}

#[test]
fn what_cannot_be_simulated_is_refused_with_a_sentence() {
    let sound = Storm::new(THREE, HEALTHY);
    let refused = |storm: Storm| storm.run(with(FIFTH)).unwrap_err();
    assert_eq!(refused(sound.clients(0)), StormError::Clients);
    assert_eq!(refused(sound.layers(0)), StormError::Layers(0));
    assert_eq!(refused(sound.layers(9)), StormError::Layers(9));
    assert_eq!(refused(sound.bins(secs(0))), StormError::Bins);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(sound.arrivals(Arrivals::constant(rate, secs(1)))), StormError::Rate);
        assert_eq!(refused(sound.arrivals(Arrivals::poisson(rate, secs(1)))), StormError::Rate);
    }
    assert_eq!(refused(Storm::new(THREE, HEALTHY.capacity(0))), StormError::Capacity);
    let share = HEALTHY.fault(Fault::always(1.5));
    assert_eq!(refused(Storm::new(THREE, share)), StormError::Share(1.5));
    let error = refused(Storm::new(THREE.max_attempts(0), HEALTHY));
    assert!(matches!(error, StormError::Policy(_)), "{error}");
    assert!(error.to_string().contains("max_attempts"), "{error}");

    let waits = || Downstream::new("leaf").concurrency_limit(ConcurrencyLimit::new(1).waiting());
    assert_eq!(sound.run(waits).unwrap_err(), StormError::WaitingLimit);
    let refuses = || Downstream::new("leaf").concurrency_limit(ConcurrencyLimit::new(1));
    let report = sound.run(refuses).unwrap();
    assert_eq!((report.successes, report.failures_by(Reason::ConcurrencyLimited)), (1, 99));
}

#[test]
fn who_watches_sees_it_move_and_can_break_it_off() {
    let storm = Storm::new(THREE, HEALTHY).arrivals(Arrivals::constant(10_000.0, secs(20)));
    let mut shares = vec![0.0];
    let report = storm.run_watched(with(FIFTH), |reached| {
        shares.push(reached.share);
        ControlFlow::Continue(())
    });
    assert_eq!(report.unwrap().calls, 200_000);
    assert!(shares.len() > 3 && shares.is_sorted() && shares.iter().all(|share| *share <= 1.0));

    let broken_off = storm.run_watched(with(FIFTH), |_| ControlFlow::Break(()));
    assert_eq!(broken_off, Err(StormError::BrokenOff));
}
