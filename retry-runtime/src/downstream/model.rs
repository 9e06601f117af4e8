//! Every interleaving that the model checker reaches: tokens and probes are conserved.

use super::atom::Atom;
use super::breaker::Breaker;
use super::budget::{Budget, Cause, Outcome, TOKEN};
use super::circuit::{Circuit, Verdict};
use super::ledger::Ledger;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU64;
use loom::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use loom::thread;
use std::time::Duration;

impl Atom for AtomicU64 {
    fn load(&self) -> u64 {
        self.load(Acquire)
    }

    fn store(&self, value: u64) {
        self.store(value, Release);
    }

    fn exchange(&self, current: u64, new: u64) -> Result<(), u64> {
        self.compare_exchange(current, new, AcqRel, Acquire).map(drop)
    }
}

/// Costs one token.
const RETRY: Cause = Cause::Failure;

fn note(ledger: &Ledger<AtomicU64>) {
    ledger.note_deposit(0);
}

/// Two callers fight for one token; one goes away, the other sends. The third succeeds meanwhile.
#[test]
fn a_token_is_taken_once_and_given_back_or_spent() {
    loom::model(|| {
        let budget = Budget::ratio(0.5).per_second(1);
        let ledger = Arc::new(Ledger::of(budget, AtomicU64::new));
        let spends = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || if ledger.pay(RETRY, 0) { TOKEN } else { 0 })
        };
        let succeeds = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || ledger.settle(true, Outcome::Success, None, || note(&ledger)))
        };
        if ledger.pay(RETRY, 0) {
            ledger.give_back(RETRY);
        }
        let spent = spends.join().unwrap();
        succeeds.join().unwrap();
        assert_eq!(ledger.held(), TOKEN + TOKEN / 2 - spent);
    });
}

/// Two callers take at the same time, when a second of the reserve is due and one token is there.
#[test]
fn the_reserve_of_a_second_is_paid_once() {
    loom::model(|| {
        let budget = Budget::ratio(0.5).per_second(1);
        let ledger = Arc::new(Ledger::of(budget, AtomicU64::new));
        let other = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || ledger.take(RETRY, 1_000_000_000))
        };
        assert!(ledger.take(RETRY, 1_000_000_000));
        assert!(other.join().unwrap());
        assert_eq!(ledger.held(), 0);
    });
}

/// gRPC's law: failures take, and never below zero.
#[test]
fn failures_take_no_more_than_there_is() {
    loom::model(|| {
        let ledger = Arc::new(Ledger::of(Budget::throttle(1, 0.5), AtomicU64::new));
        let other = {
            let ledger = Arc::clone(&ledger);
            thread::spawn(move || ledger.settle(false, Outcome::Failure, None, || note(&ledger)))
        };
        ledger.settle(false, Outcome::Failure, None, || note(&ledger));
        other.join().unwrap();
        assert_eq!(ledger.held(), 0);
    });
}

const BREAKER: Breaker = Breaker::consecutive(1)
    .open_for(Duration::from_millis(10))
    .open_jitter(0.0)
    .recover_over(Duration::ZERO);

fn opened(breaker: Breaker) -> Circuit<AtomicU64> {
    let circuit = Circuit::of(breaker, AtomicU64::new);
    let admitted = circuit.admit(|| 0, || 0, |_, _| {}).unwrap();
    circuit.report(admitted, Verdict::Failure, || 0, || 0, |_, _| {});
    assert_eq!(circuit.state(), "open");
    circuit
}

/// Two callers come when the open time is over; each that gets through goes away again.
#[test]
fn one_probe_at_a_time_and_its_place_never_leaks() {
    loom::model(|| {
        let circuit = Arc::new(opened(BREAKER));
        let running = Arc::new(loom::sync::atomic::AtomicUsize::new(0));
        let probe = |circuit: &Circuit<AtomicU64>, running: &loom::sync::atomic::AtomicUsize| {
            let Ok(admitted) = circuit.admit(|| 10, || 0, |_, _| {}) else { return };
            assert_eq!(running.fetch_add(1, AcqRel), 0, "two probes at once");
            running.fetch_sub(1, AcqRel);
            circuit.report(admitted, Verdict::Neutral, || 10, || 0, |_, _| {});
        };
        let other = {
            let (circuit, running) = (Arc::clone(&circuit), Arc::clone(&running));
            thread::spawn(move || probe(&circuit, &running))
        };
        probe(&circuit, &running);
        other.join().unwrap();
        let last = circuit.admit(|| 10, || 0, |_, _| {}).expect("the place is free");
        circuit.report(last, Verdict::Success, || 10, || 0, |_, _| {});
        assert_eq!(circuit.state(), "closed");
    });
}

/// A late failure of a call that was let through before the breaker opened meets the probe's success.
#[test]
fn what_was_let_through_earlier_counts_for_nothing() {
    loom::model(|| {
        let circuit = Circuit::of(BREAKER, AtomicU64::new);
        let early = circuit.admit(|| 0, || 0, |_, _| {}).unwrap();
        let first = circuit.admit(|| 0, || 0, |_, _| {}).unwrap();
        circuit.report(first, Verdict::Failure, || 0, || 0, |_, _| {});
        let probe = circuit.admit(|| 10, || 0, |_, _| {}).unwrap();
        let circuit = Arc::new(circuit);
        let late = {
            let circuit = Arc::clone(&circuit);
            thread::spawn(move || circuit.report(early, Verdict::Failure, || 10, || 0, |_, _| {}))
        };
        circuit.report(probe, Verdict::Success, || 10, || 0, |_, _| {});
        late.join().unwrap();
        assert_eq!(circuit.state(), "closed");
    });
}

/// Two probes of two end side by side, one of them badly.
#[test]
fn a_failed_probe_opens_whatever_the_other_says() {
    loom::model(|| {
        let circuit = Arc::new(opened(BREAKER.probes(2)));
        let good = circuit.admit(|| 10, || 0, |_, _| {}).unwrap();
        let bad = circuit.admit(|| 10, || 0, |_, _| {}).unwrap();
        assert!(circuit.admit(|| 10, || 0, |_, _| {}).is_err());
        let other = {
            let circuit = Arc::clone(&circuit);
            thread::spawn(move || circuit.report(good, Verdict::Success, || 10, || 0, |_, _| {}))
        };
        circuit.report(bad, Verdict::Failure, || 10, || 0, |_, _| {});
        other.join().unwrap();
        assert_eq!(circuit.state(), "open");
    });
}
