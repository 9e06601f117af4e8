//! Policies that are refused, at run time as while compiling.

use crate::server::{DAY, millis, secs};
use retry_runtime::{Allow, Budget, Downstream, Jitter, Policy};
use std::time::Duration;

const SOUND: Policy = Policy::exponential(millis(50), secs(1)).deadline(secs(60));

fn refusal(policy: Policy) -> String {
    policy.check().expect_err("refused").to_string()
}

#[track_caller]
fn refused(policy: Policy, starts: &str) {
    let refusal = refusal(policy);
    assert!(refusal.starts_with(starts), "{refusal}");
}

#[test]
fn o_b12_every_number_that_can_only_hurt_is_refused_and_named() {
    refused(
        Policy::exponential(Duration::ZERO, secs(1)).deadline(DAY),
        "the `base` of the backoff is 0 ms",
    );
    refused(Policy::fixed(Duration::ZERO).deadline(DAY), "the `base` of the backoff is 0 ms");
    refused(SOUND.max_attempts(0), "`max_attempts` is 0");
    refused(
        Policy::exponential(secs(10), secs(1)).deadline(DAY),
        "the `cap` of 1 s is below the `base` of 10 s",
    );
    refused(
        SOUND.attempt_timeout(secs(30)).deadline(secs(5)),
        "the `attempt_timeout` of 30 s exceeds the deadline of 5 s",
    );
    refused(SOUND.multiplier(0.5), "the `multiplier` is 0.5");
    refused(SOUND.multiplier(f64::NAN), "the `multiplier` is NaN");
    refused(SOUND.multiplier(-2.0), "the `multiplier` is -2");
    refused(SOUND.multiplier(f64::INFINITY), "the `multiplier` is infinity");
    refused(Policy::exponential(millis(50), secs(1)), "the policy has no `deadline`");
    refused(SOUND.deadline(Duration::ZERO), "the `deadline` is 0 ms");
    refused(
        Policy::immediate().max_attempts(5).deadline(DAY),
        "`Policy::immediate()` with `max_attempts` 5",
    );
    refused(SOUND.jitter(Jitter::None), "the policy has no jitter");
    refused(SOUND.attempt_timeout(Duration::ZERO), "the `attempt_timeout` is 0 ms");
    refused(SOUND.attempt_timeout(millis(5)), "the `attempt_timeout` of 5 ms is below 20 ms");
}

#[test]
fn o_b12_controls_are_accepted() {
    for policy in [
        SOUND,
        Policy::immediate().deadline(secs(1)),
        Policy::once().deadline(secs(1)),
        Policy::exponential(secs(10), secs(10)).deadline(DAY),
        SOUND.multiplier(1.0),
        SOUND.attempt_timeout(millis(20)),
        SOUND.attempt_timeout(secs(60)).cut_by_deadline(),
        Policy::exponential(Duration::ZERO, Duration::ZERO).max_attempts(1).deadline(DAY),
    ] {
        assert_eq!(policy.check(), Ok(()));
    }
    let lockstep = SOUND.jitter(Jitter::None).attempt_timeout(millis(1));
    assert_eq!(lockstep.check_allowing(Allow::NONE.no_jitter().short_attempt_timeout()), Ok(()));
}

#[test]
fn o_b12_a_budget_ratio_outside_is_an_error_and_no_panic() {
    for (ratio, written) in [(-0.1, "-0.1"), (1.5, "1.5"), (0.0, "0,"), (f64::NAN, "NaN")] {
        let error = Downstream::new("bank").try_budget(Budget::ratio(ratio)).unwrap_err();
        assert!(error.to_string().contains(&format!("a `ratio` of {written}")), "{error}");
    }
    assert!(Downstream::new("bank").try_budget(Budget::ratio(1.0)).is_ok());
}

#[test]
fn the_worst_case_names_both_numbers() {
    let checkout = SOUND.attempt_timeout(millis(180));
    assert_eq!(checkout.deadline(millis(690)).check(), Ok(()), "the worked example: 690 ms");
    refused(checkout.deadline(millis(500)), "worst case 690 ms exceeds the deadline of 500 ms");
    assert_eq!(checkout.deadline(millis(500)).cut_by_deadline().check(), Ok(()));
}

#[test]
fn an_attempt_that_can_never_start_is_refused() {
    let lockstep = SOUND.jitter(Jitter::Equal).max_attempts(4);
    // The shortest waits are half of 50, 100 and 200 ms.
    refused(
        lockstep.deadline(millis(175)),
        "attempt 4 can never start, because even the shortest waits before it take 175 ms",
    );
    let cut = Policy::fixed(secs(10)).jitter(Jitter::Equal).cut_by_deadline();
    refused(cut.deadline(secs(5)), "attempt 2 can never start");
    assert_eq!(cut.deadline(secs(6)).max_attempts(9).check(), Ok(()));
}

#[test]
fn all_mistakes_of_a_policy_are_told_at_once() {
    let refusal = refusal(SOUND.max_attempts(0).multiplier(0.0).attempt_timeout(Duration::ZERO));
    assert_eq!(refusal.matches("\nalso, ").count(), 2, "{refusal}");
}

#[test]
fn the_sum_of_very_many_waits_is_quick_and_never_too_large() {
    let slow = Policy::exponential(Duration::from_nanos(1), DAY)
        .multiplier(1.000_001)
        .max_attempts(u32::MAX)
        .deadline(secs(9));
    assert_eq!(slow.check(), Ok(()), "4,294,967,294 waits of little more than a nanosecond");
    refused(slow.deadline(secs(4)), "worst case");
    refused(SOUND.max_attempts(u32::MAX), "worst case");
}
