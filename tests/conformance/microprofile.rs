//! Retries by MicroProfile's suite, alone, with a timeout and with a circuit breaker.
//!
//! Sources, of eclipse/microprofile-fault-tolerance, under
//! `tck/src/main/java/org/eclipse/microprofile/fault/tolerance/tck/`: `RetryTest.java`,
//! `RetryTimeoutTest.java`, `CircuitBreakerRetryTest.java`. Its sequences for a breaker alone are
//! in `tests/behaviour/breaker.rs`.
//!
//! Its `maxRetries` do not count the first execution, and `max_attempts` do. Its delay with a
//! jitter of as much, or a delay of 0 with a jitter, is a fixed interval with full jitter here.

use crate::dependency::{BROKEN, Dependency, OK, call};
use crate::time::{millis, secs};
use retry_runtime::{Breaker, Budget, Downstream, Policy, Reason};
use std::time::Duration;

/// The suite knows no budget.
fn downstream() -> Downstream {
    Downstream::new("tck").budget(Budget::ratio(1.0).per_second(1_000))
}

const RETRY: Policy = Policy::fixed(millis(200));

#[tokio::test(start_paused = true)]
async fn max_retries() {
    for (max_retries, executions) in [(5, 6), (2, 3)] {
        let course = call(RETRY.max_attempts(max_retries + 1), &downstream(), []).await;
        assert_eq!((course.attempts(), course.reason()), (executions, Some(Reason::AttemptLimit)));
    }
}

/// 100 ms of work and up to 200 ms of delay, for one second.
#[tokio::test(start_paused = true)]
async fn max_duration() {
    let shared = downstream();
    let server = Dependency::that_answers(&shared, []).slow_at_first([millis(100); 91]);
    let course = server.call(RETRY.max_attempts(91).deadline(secs(1))).await;
    assert!((4..11).contains(&course.attempts()), "{} executions", course.attempts());
}

/// 3.2 seconds of delays of up to 800 ms, and of up to 400 ms.
#[tokio::test(start_paused = true)]
async fn delay_and_jitter() {
    for (longest, fewest) in [(800, 4), (400, 8)] {
        let delayed = Policy::fixed(millis(longest)).max_attempts(101).deadline(millis(3_200));
        let course = call(delayed, &downstream(), []).await;
        assert!(fewest < course.attempts() && course.attempts() < 100);
        assert!(course.waits().iter().all(|wait| *wait <= longest as f64 / 1_000.0));
    }
}

/// A timeout of 500 ms, and work of 1 s, or of 10 ms that fails. There a timeout is not repeated
/// unless it is listed; here it always may be, and a policy of one attempt says that it is not.
#[tokio::test(start_paused = true)]
async fn timeouts() {
    let policy = RETRY.max_attempts(2).attempt_timeout(millis(500));
    for (policy, work, executions) in
        [(policy, 1_000, 2), (policy, 10, 2), (policy.max_attempts(1), 1_000, 1)]
    {
        let shared = downstream();
        let server = Dependency::that_answers(&shared, []).slow_at_first([millis(work); 2]);
        assert_eq!(server.call(policy).await.reason(), Some(Reason::AttemptLimit));
        assert_eq!(server.count(), executions);
    }
}

/// Volume 4, ratio 0.75.
fn broken_by_four(open_for: Duration) -> Downstream {
    let breaker = Breaker::failure_ratio(0.75).minimum_calls(4);
    let breaker = breaker.open_for(open_for).open_jitter(0.0).recover_over(Duration::ZERO);
    downstream().breaker(breaker)
}

/// More retries than the breaker lets through, fewer, and timeouts in place of failures.
#[tokio::test(start_paused = true)]
async fn a_breaker_inside_of_the_retries() {
    let timeouts = RETRY.attempt_timeout(millis(500));
    for (policy, max_retries, work, executions, reason) in [
        (RETRY, 7, 0, 4, Reason::CircuitOpen),
        (RETRY, 2, 0, 3, Reason::AttemptLimit),
        (timeouts, 7, 1_000, 4, Reason::CircuitOpen),
    ] {
        let shared = broken_by_four(secs(50));
        let server = Dependency::that_answers(&shared, []).slow_at_first([millis(work); 8]);
        let course = server.call(policy.max_attempts(max_retries + 1)).await;
        assert_eq!((server.count(), course.reason()), (executions, Some(reason)));
    }
}

/// Four failures open the breaker for a second. There the fifth call is repeated every 100 ms until
/// it succeeds, if open circuits are listed. Here it ends at once, as in the two rows where they are
/// not listed, and says when to come back.
#[tokio::test(start_paused = true)]
async fn an_open_circuit_is_not_waited_for() {
    let shared = broken_by_four(secs(1));
    let server = Dependency::that_answers(&shared, [BROKEN, BROKEN, BROKEN, BROKEN, OK]);
    for _ in 0..4 {
        server.call(Policy::once()).await;
    }
    let patient = Policy::fixed(millis(100)).max_attempts(21);
    let course = server.call(patient).await;
    assert_eq!((course.reason(), course.idle), (Some(Reason::CircuitOpen), Duration::ZERO));
    let come_back_in = course.result.unwrap_err().retry_after().unwrap();
    assert_eq!(come_back_in, secs(1));
    tokio::time::sleep(come_back_in).await;
    assert_eq!(server.call(patient).await.reason(), None);
}
