//! Eight threads and a million operations with random drops: exact counts at the end.

use super::breaker::Breaker;
use super::budget::{Budget, Outcome, TOKEN};
use super::circuit::{Circuit, Verdict};
use super::ledger::Ledger;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

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
    let budget = Budget::costs(u32::MAX).retry_cost(1).timeout_cost(1).throttled_cost(1);
    let ledger = Ledger::new(budget);
    let start = TOKEN * OPERATIONS * THREADS;
    assert!(ledger.take(budget.capacity() - start).map(super::ledger::Token::spend).is_some());
    let (earned, spent) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for thread in 1..=THREADS {
            let (ledger, earned, spent) = (&ledger, &earned, &spent);
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                for _ in 0..OPERATIONS {
                    match next(&mut random) % 4 {
                        0 => {
                            ledger.settle(true, Outcome::Success, 0, || 0);
                            earned.fetch_add(TOKEN, Relaxed);
                        }
                        1 => drop(ledger.take(TOKEN)),
                        _ => {
                            let paid = ledger.take(TOKEN).map(super::ledger::Token::spend);
                            spent.fetch_add(paid.unwrap_or_default(), Relaxed);
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
    let first = circuit.admit(|| 0, || 0).unwrap();
    circuit.report(first, Verdict::Failure, || 0, || 0);
    let running = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let (circuit, running) = (&circuit, &running);
            scope.spawn(move || {
                for _ in 0..OPERATIONS {
                    // Every probe goes away, so that the breaker stays half-open for ever.
                    let Ok(admitted) = circuit.admit(|| 2, || 0) else { continue };
                    assert!(running.fetch_add(1, Relaxed) < PROBES);
                    running.fetch_sub(1, Relaxed);
                    circuit.report(admitted, Verdict::Neutral, || 2, || 0);
                }
            });
        }
    });
    assert_eq!(circuit.state(), "half-open");
    let probes: Vec<_> = (0..PROBES).map(|_| circuit.admit(|| 2, || 0).unwrap()).collect();
    assert!(circuit.admit(|| 2, || 0).is_err());
    for probe in probes {
        circuit.report(probe, Verdict::Success, || 2, || 0);
    }
    assert_eq!(circuit.state(), "closed");
}
