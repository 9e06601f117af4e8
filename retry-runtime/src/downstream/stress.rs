//! Eight threads and a million operations with random drops: exact counts at the end.

use super::Downstream;
use super::breaker::Breaker;
use super::budget::{Budget, Cause, Outcome, TOKEN};
use super::circuit::{Circuit, Verdict};
use super::ledger::Ledger;
use super::limit::{ConcurrencyLimit, RateLimit};
use super::permit::Permit;
use crate::environment::Live;
use crate::time::Now;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;
use tokio::time::Instant;

const THREADS: u64 = 8;
const OPERATIONS: u64 = 125_000;

/// A small generator: the test is about the threads, not about chance.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn a_million_operations_leave_exactly_what_was_earned_and_not_spent() {
    // The capacity is never reached, so that nothing earned is lost.
    let all_but_enough = u32::MAX - u32::try_from(OPERATIONS * THREADS).unwrap();
    let budget =
        Budget::costs(u32::MAX).retry_cost(1).timeout_cost(all_but_enough).throttled_cost(1);
    let ledger = Ledger::new(budget);
    assert!(ledger.take(Cause::Timeout, 0));
    let start = ledger.held();
    let (earned, spent) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            let (ledger, earned, spent) = (&ledger, &earned, &spent);
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                for _ in 0..OPERATIONS {
                    match next(&mut random) % 4 {
                        0 => {
                            ledger.settle(true, Outcome::Success, None, || {});
                            earned.fetch_add(TOKEN, Relaxed);
                        }
                        1 => {
                            if ledger.take(Cause::Failure, 0) {
                                ledger.give_back(Cause::Failure);
                            }
                        }
                        _ => {
                            let paid = if ledger.take(Cause::Failure, 0) { TOKEN } else { 0 };
                            spent.fetch_add(paid, Relaxed);
                        }
                    }
                }
            });
        }
    });
    let expected = start + earned.into_inner() - spent.into_inner();
    assert_eq!(ledger.held(), expected);
}

#[test]
fn a_million_admissions_never_exceed_the_probes_and_leak_none() {
    const PROBES: u64 = 3;
    // A second is never over here, so that it stays half-open but for what the probes say.
    let breaker = Breaker::consecutive(1)
        .open_for(Duration::from_millis(1))
        .open_jitter(0.0)
        .max_open_for(Duration::from_millis(1))
        .probes(3)
        .recover_over(Duration::ZERO);
    let circuit = Circuit::new(breaker);
    let first = circuit.admit(|| 0, || 0, |_, _| {}).unwrap();
    circuit.report(first, Verdict::Failure, || 0, || 0, |_, _| {});
    let running = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let (circuit, running) = (&circuit, &running);
            scope.spawn(move || {
                for _ in 0..OPERATIONS {
                    // Every probe goes away, so that the breaker stays half-open for ever.
                    let Ok(admitted) = circuit.admit(|| 2, || 0, |_, _| {}) else { continue };
                    assert!(running.fetch_add(1, Relaxed) < PROBES);
                    running.fetch_sub(1, Relaxed);
                    circuit.report(admitted, Verdict::Neutral, || 2, || 0, |_, _| {});
                }
            });
        }
    });
    assert_eq!(circuit.state(), "half-open");
    let probes: Vec<_> =
        (0..PROBES).map(|_| circuit.admit(|| 2, || 0, |_, _| {}).unwrap()).collect();
    assert!(circuit.admit(|| 2, || 0, |_, _| {}).is_err());
    for probe in probes {
        circuit.report(probe, Verdict::Success, || 2, || 0, |_, _| {});
    }
    assert_eq!(circuit.state(), "closed");
}

#[test]
fn a_million_attempts_never_exceed_the_places_and_leak_none() {
    const PLACES: u64 = 3;
    let shared = Downstream::new("shared").concurrency_limit(ConcurrencyLimit::new(3));
    let (running, now) = (AtomicU64::new(0), Now::of(Instant::now()));
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            let (shared, running) = (&shared, &running);
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                for _ in 0..OPERATIONS {
                    let mut permit = Permit::none(shared);
                    if permit.ask(now, &Live, None).is_err() {
                        continue;
                    }
                    assert!(running.fetch_add(1, Relaxed) < PLACES);
                    running.fetch_sub(1, Relaxed);
                    if next(&mut random).is_multiple_of(2) {
                        permit.report(Verdict::Success, || now, &Live, None);
                    }
                }
            });
        }
    });
    let mut held: Vec<_> = (0..=PLACES).map(|_| Permit::none(&shared)).collect();
    let held: Vec<_> = held.iter_mut().map(|permit| permit.ask(now, &Live, None).is_ok()).collect();
    assert_eq!(held, [true, true, true, false]);
}

#[test]
fn a_rate_beyond_what_the_clock_can_tell_apart_refuses_nobody() {
    let shared = Downstream::new("shared").rate_limit(RateLimit::per_second(u32::MAX));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..OPERATIONS {
                    assert!(
                        Permit::none(&shared).ask(Now::of(Instant::now()), &Live, None).is_ok()
                    );
                }
            });
        }
    });
}

#[cfg(feature = "waiting")]
#[tokio::test(start_paused = true)]
async fn a_limit_that_refuses_does_not_make_those_wait_who_wait_for_another() {
    static PARENT: Downstream =
        Downstream::new("parent").concurrency_limit(ConcurrencyLimit::new(1));
    let child = Downstream::new("child")
        .concurrency_limit(ConcurrencyLimit::new(1).waiting())
        .parent(&PARENT);
    let mut busy = Permit::none(&PARENT);
    assert!(busy.ask(Now::of(Instant::now()), &Live, None).is_ok());
    let refusal = Permit::wait(&child, None).await.unwrap_err();
    assert_eq!(refusal.reason, crate::error::Reason::ConcurrencyLimited);
    drop(busy);
    assert!(Permit::wait(&child, None).await.is_ok());
}
