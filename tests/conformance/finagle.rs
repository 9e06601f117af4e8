//! Finagle's retry budget, and its defaults in Linkerd and in the Gateway API.
//!
//! Sources, of twitter/finagle:
//! `finagle-core/src/main/scala/com/twitter/finagle/service/RetryBudget.scala`,
//! `finagle-core/src/test/scala/com/twitter/finagle/service/RetryBudgetTest.scala`; the retry budget
//! of Linkerd's `ServiceProfile`; kubernetes-sigs/gateway-api, GEP-3388.

use crate::dependency::{BROKEN, Failed, OK, REFUSED, call};
use crate::time::{DAY, millis, secs};
use retry_runtime::{Budget, Downstream, Error, Policy, Reason, retry};
use tokio::time::sleep;

/// As in Finagle's tests time stands still.
const AT_ONCE: Policy = Policy::immediate().deadline(DAY);
/// As many retries as the budget has.
const STUBBORN: Policy = Policy::fixed(millis(1)).max_attempts(1_000);
const ONE: Policy = Policy::once().deadline(DAY);

/// One request that fails, and its retry that fails too: a deposit, and an attempt to withdraw.
#[retry(policy = AT_ONCE, idempotent, downstream = budget)]
async fn request(budget: &Downstream) -> Result<(), Error<Failed>> {
    let _ = budget;
    BROKEN
}

#[retry(policy = ONE, idempotent, downstream = budget)]
async fn deposit(budget: &Downstream) -> Result<(), Error<Failed>> {
    let _ = budget;
    OK
}

fn downstream(budget: Budget) -> Downstream {
    Downstream::new("finagle").budget(budget)
}

/// How many of ten thousand requests are retried.
async fn retried(budget: &Downstream) -> u32 {
    let mut retried = 0;
    for _ in 0..10_000 {
        match request(budget).await.unwrap_err().reason() {
            Reason::AttemptLimit => retried += 1,
            // Whenever a withdrawal fails, the balance, a whole number there, is zero.
            Reason::BudgetExhausted => assert!(budget.retry_tokens() < 1.0),
            other => panic!("{other}"),
        }
    }
    retried
}

/// `apply minRetriesPerSec=0`: theirs may be one off, ours is exact.
#[tokio::test(start_paused = true)]
async fn a_ratio_without_a_reserve() {
    for (ratio, retries) in [
        (0.1, 1_000),
        (0.5, 5_000),
        (0.25, 2_500),
        (0.75, 7_500),
        (0.99, 9_900),
        (0.999, 9_990),
        (0.9999, 9_999),
        (0.01, 100),
        (0.001, 10),
        (0.0001, 1),
    ] {
        let budget = downstream(Budget::ratio(ratio));
        assert_eq!(budget.retry_tokens(), 0.0);
        assert_eq!(retried(&budget).await, retries, "ratio {ratio}");
    }
}

/// A ratio that is next to nothing, where Finagle's is zero.
const NEXT_TO_NOTHING: f64 = 0.000_001;

/// `apply with minRetries and maxPercentOver` and the same with `=0`: time to live, retries per
/// second, ratio. The reserve from the start is that of the time to live there, and that of one
/// second here, so the rows of two seconds have five retries less.
#[tokio::test(start_paused = true)]
async fn a_ratio_and_a_reserve() {
    for (time_to_live, per_second, ratio, theirs, ours) in [
        (1, 10, NEXT_TO_NOTHING, 10, 10),
        (2, 5, NEXT_TO_NOTHING, 10, 5),
        (1, 10, 0.1, 1_010, 1_010),
        (2, 5, 0.5, 5_010, 5_005),
    ] {
        let budget = downstream(Budget::ratio(ratio).per_second(per_second));
        assert_eq!(budget.retry_tokens(), f64::from(per_second));
        assert_eq!(retried(&budget).await, ours);
        assert_eq!(theirs - ours, (time_to_live - 1) * per_second);
    }
}

/// `maxPercentOver greater than 1.0`: theirs accepts 2.0, and 20,000 retries after 10,000 requests.
#[tokio::test(start_paused = true)]
async fn no_ratio_above_one_and_no_more_than_a_hundred_saved() {
    assert!(Downstream::new("finagle").try_budget(Budget::ratio(2.0)).is_err());
    let budget = downstream(Budget::ratio(1.0));
    for _ in 0..10_000 {
        assert_eq!(deposit(&budget).await, Ok(()));
    }
    assert_eq!(budget.retry_tokens(), 100.0);

    let budget = downstream(Budget::ratio(1.0).per_second(25));
    for _ in 0..10_000 {
        assert_eq!(deposit(&budget).await, Ok(()));
    }
    assert_eq!(budget.retry_tokens(), 250.0, "ten seconds of the reserve");
}

/// The bounds checks. There is no time to live to set, and no negative reserve to write; a budget
/// of nothing (`Empty`) is a policy of one attempt, and one without an end (`Infinite`) is refused.
#[test]
fn bounds() {
    for (ratio, sound) in
        [(-1.0, false), (0.0, false), (0.1, true), (1.0, true), (1.01, false), (1_000.0, false)]
    {
        assert_eq!(Budget::ratio(ratio).check().is_ok(), sound, "ratio {ratio}");
    }
    assert!(Budget::ratio(f64::INFINITY).check().is_err());
}

/// Every request deposits, whether it succeeds, may be retried or not; a retry does not.
#[tokio::test(start_paused = true)]
async fn every_request_deposits_once() {
    let budget = downstream(Budget::ratio(0.25));
    for (answers, left) in [
        (vec![OK], 0.25),
        (vec![REFUSED], 0.5),
        (vec![BROKEN], 0.75),
        // One token is there now, and is spent at once.
        (vec![BROKEN, BROKEN], 0.0),
        (vec![BROKEN], 0.25),
    ] {
        assert_eq!(call(STUBBORN, &budget, answers).await.left, left);
    }
}

/// The defaults: 20 %, 10 per second, 10 s. Linkerd and GEP-3388 have the same numbers.
#[tokio::test(start_paused = true)]
async fn the_default() {
    assert_eq!(Budget::DEFAULT, Budget::ratio(0.2).per_second(10));
    let budget = downstream(Budget::DEFAULT);
    // Theirs is 100 from the start.
    assert_eq!(budget.retry_tokens(), 10.0);
    assert_eq!(retried(&budget).await, 2_010);
    sleep(secs(1)).await;
    // The second has brought ten, and a call that waits a millisecond for each brings a little.
    let course = call(STUBBORN, &budget, []).await;
    assert_eq!(course.retries.len(), 10);
}

/// Theirs expire one by one after their time to live; ours together, when no call has added any for
/// as long.
#[tokio::test(start_paused = true)]
async fn deposits_expire() {
    let budget = downstream(Budget::ratio(0.5));
    for _ in 0..60 {
        call(STUBBORN, &budget, [Ok(())]).await;
    }
    sleep(secs(10)).await;
    assert_eq!(budget.retry_tokens(), 30.0);
    call(STUBBORN, &budget, [Ok(())]).await;
    assert_eq!(budget.retry_tokens(), 30.5);
    sleep(secs(11)).await;
    call(STUBBORN, &budget, [Ok(())]).await;
    assert_eq!(budget.retry_tokens(), 0.5);
}
