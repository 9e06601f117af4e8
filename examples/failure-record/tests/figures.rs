//! The worked figures, and what holds of every record.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::float_cmp, reason = "a test")]

use failure_record::anatomy::{Anatomy, Side};
use failure_record::field::Limits;
use failure_record::picture::Calls;
use failure_record::record::{Owner, Record};
use failure_record::watch::nobody;
use proptest::prelude::*;
use retry_runtime::Jitter;
use retry_runtime::storm::StormError;
use std::ops::ControlFlow;
use std::time::Duration;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn anatomy(record: Record) -> Anatomy {
    Anatomy::of(&record, nobody).unwrap()
}

fn chosen(record: Record) -> Side {
    anatomy(record).chosen
}

/// For each request of the group, when it called the leaf.
fn requests(side: &Side) -> Vec<Vec<Duration>> {
    Calls::of(side).by_request()
}

/// It covers every tree.
const HOUR: Duration = Duration::from_secs(3_600);

#[test]
fn three_layers_of_three_attempts_are_27_calls_and_1080_for_40_requests() {
    for jitter in [Jitter::None, Jitter::Full, Jitter::Equal, Jitter::Decorrelated] {
        let every =
            Record { owner: Owner::Every, budget: None, window: HOUR, jitter, ..Record::default() };
        let side = chosen(every);
        assert_eq!(every.theoretical_amplification(), 27);
        assert_eq!(side.one_request.attempts, [3, 9, 27]);
        assert_eq!((side.one_request.sends, side.group.sends), (27, 1_080));
        assert!(requests(&side).iter().all(|calls| calls.len() == 27));

        let one = chosen(Record { owner: Owner::One, ..every });
        assert_eq!(one.one_request.attempts, [3, 3, 3]);
        assert_eq!((one.one_request.sends, one.group.sends), (3, 120));
    }
    // "Three retries" are four attempts.
    let four = Record { attempts: 4, ..Record::default() };
    assert_eq!(four.theoretical_amplification(), 64);
}

#[test]
fn a_window_that_ends_first_makes_the_tree_smaller() {
    let every = Record {
        owner: Owner::Every,
        budget: None,
        jitter: Jitter::None,
        window: millis(300),
        ..Record::default()
    };
    let side = chosen(every);
    // At 0 and 105 ms it fails, and at 310 ms it is over.
    assert_eq!(side.one_request.sends, 3);
    assert_eq!(requests(&side)[0], [0, 105, 310].map(millis));
}

#[test]
fn forty_requests_a_second_hold_19_in_flight_by_waiting() {
    let slow = Record {
        layers: 1,
        base: millis(100),
        cap: millis(140),
        jitter: Jitter::None,
        budget: None,
        ..Record::default()
    };
    assert_eq!(slow.attempt_timeout(), millis(80));
    let held = chosen(slow).held_in_flight();
    assert!((held - 40.0 * (3.0 * 80.0 + 100.0 + 140.0) / 1e3).abs() < 1e-9, "{held}");
    assert!((held - 19.2).abs() < 1e-9, "{held}");
    let owned = chosen(Record { layers: 3, ..slow }).held_in_flight();
    assert!((owned - held).abs() < 1e-9, "layers that retry nothing hold nothing more: {owned}");
}

#[test]
fn forty_requests_with_a_fifth_are_capped_at_48() {
    let record = Record { window: HOUR, ..Record::default() };
    assert_eq!(record.budget_cap(), Some(48));
    let side = chosen(record);
    assert_eq!((side.group.sends, side.group.retries_stopped), (48, 40));
    let most = requests(&side).iter().map(Vec::len).max();
    assert_eq!(most, Some(2), "no request spends all eight retries");
}

#[test]
fn twenty_requests_with_a_tenth_have_two_retries() {
    let record =
        Record { group: 20, budget: Some(0.1), layers: 1, attempts: 2, ..Record::default() };
    for seed in 0..20 {
        let Anatomy { chosen, lockstep } = anatomy(Record { seed, ..record });
        assert_eq!((chosen.group.retries, chosen.group.retries_stopped), (2, 18));
        let spread = requests(&chosen).into_iter().flatten().all(|at| at <= millis(105));
        assert!(spread, "a wait of at most 100 ms after a failure of 5 ms");
        // All twenty at +100 ms.
        assert_eq!((lockstep.group.retries, lockstep.group.peak_retries), (20, 20));
    }
}

#[test]
fn full_jitter_with_a_fifth_has_no_recovery_tail_and_lockstep_has_one() {
    for seed in 0..50 {
        let Anatomy { chosen, lockstep } = anatomy(Record { seed, ..Record::default() });
        assert_eq!((chosen.group.recovery_tail, chosen.group.sends), (0, 48));
        assert_eq!((lockstep.group.recovery_tail, lockstep.group.sends), (40, 120));
        assert!(chosen.group.peak_retries < lockstep.group.peak_retries / 4);
    }
}

#[test]
fn an_attempt_may_last_twice_the_p99_and_at_least_20_ms() {
    let timeout = |p99| Record { p99: millis(p99), ..Record::default() }.attempt_timeout();
    assert_eq!([1, 10, 11, 90].map(timeout), [20, 20, 22, 180].map(millis));
}

#[test]
fn the_same_record_has_the_same_numbers_and_another_seed_has_others() {
    let record = Record { budget: None, ..Record::default() };
    assert_eq!(anatomy(record), anatomy(record));
    let other = chosen(Record { seed: 2, ..record });
    assert_ne!(requests(&chosen(record)), requests(&other));
}

#[test]
fn who_watches_sees_it_move_and_can_break_it_off() {
    let mut shares = Vec::new();
    let large = Record { group: 20_000, ..Record::default() };
    let watch = |share| {
        shares.push(share);
        ControlFlow::Continue(())
    };
    assert!(Anatomy::of(&large, watch).is_ok());
    assert!(shares.len() > 10 && shares.is_sorted());
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    let broken_off = Anatomy::of(&Record::default(), |_| ControlFlow::Break(()));
    assert_eq!(broken_off, Err(StormError::BrokenOff));
}

fn records() -> impl Strategy<Value = Record> {
    let jitter = prop_oneof![
        Just(Jitter::None),
        Just(Jitter::Full),
        Just(Jitter::Equal),
        Just(Jitter::Decorrelated)
    ];
    let owner = prop_oneof![Just(Owner::One), Just(Owner::Every)];
    let counts = (1..=4_u32, 1..=4_u32, 1..=40_u32);
    let times = (1..=500_u64, 1..=5_000_u64, 1..=2_000_u64, 1..=20_u64);
    let budget = prop_oneof![Just(None), (0.01..=1.0_f64).prop_map(Some)];
    (counts, times, jitter, owner, budget, any::<u64>()).prop_map(
        |((layers, attempts, group), (base, cap, window, fast), jitter, owner, budget, seed)| {
            Record {
                layers,
                attempts,
                base: millis(base),
                cap: millis(base.max(cap)),
                jitter,
                budget,
                group,
                window: millis(window),
                fast_failure: millis(fast),
                owner,
                seed,
                ..Record::default()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_record_keeps_its_bounds(record in records()) {
        let Anatomy { chosen, lockstep } = anatomy(record);
        for side in [&chosen, &lockstep] {
            let record = &side.record;
            let requests = requests(side);
            prop_assert_eq!(requests.len() as u64, u64::from(record.group));
            let calls: usize = requests.iter().map(Vec::len).sum();
            prop_assert_eq!(calls as u64, side.group.sends);
            prop_assert!(requests.iter().all(|calls| calls[0] == Duration::ZERO));
            prop_assert!(requests.iter().all(|calls| calls.is_sorted()));
            prop_assert!(requests.iter().all(|calls| calls.len() as u64 <= record.most_leaf_calls()));
            prop_assert!(side.one_request.sends <= record.most_leaf_calls());
            let tail = requests.iter().flat_map(|calls| &calls[1..]);
            let tail = tail.filter(|at| **at >= record.window).count();
            prop_assert_eq!(tail as u64, side.group.recovery_tail);
            prop_assert!(record.budget_cap().is_none_or(|cap| side.group.sends <= cap));
            prop_assert!(record.budget.is_some() || side.group.retries_stopped == 0);
        }
        prop_assert_eq!(lockstep.record, record.lockstep());
    }

    #[test]
    fn what_is_written_is_read(record in records()) {
        let written = record.written().map(|(name, text)| (name.to_owned(), text));
        prop_assert_eq!(Record::read(&written, Limits::PAGE).unwrap(), record);
    }
}
