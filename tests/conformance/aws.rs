//! The retry quota of the AWS SDKs' standard mode, versions 2.0 and 2.1.
//!
//! Sources, of smithy-lang/smithy-kotlin, under
//! `runtime/runtime-core/jvm/test/aws/smithy/kotlin/runtime/retries/impl/`:
//! `StandardRetryIntegrationTestResources.kt`, `NewStandardRetryIntegrationTestResources.kt`; of
//! boto/botocore: `tests/unit/retries/test_standard_retry_v2_1.py`; of aws/aws-sdk-go-v2:
//! `aws/retry/retry2026_test.go`, which has the operations that poll.
//!
//! A pair is the quota after a failure and the delay that follows it, in seconds. The vectors set
//! the random factor to 1, which is no jitter here. A vector's initial quota is also its capacity.

use crate::dependency::{BROKEN, Dependency, OK, REFUSED, THROTTLED, call, come_back};
use crate::time::{millis, secs};
use retry_runtime::{Budget, Downstream, Jitter, Policy, Reason};
use tokio::time::sleep;

const OUT_OF_ATTEMPTS: Option<Reason> = Some(Reason::AttemptLimit);
const OUT_OF_QUOTA: Option<Reason> = Some(Reason::BudgetExhausted);

fn policy(base_millis: u64, max_attempts: u32) -> Policy {
    Policy::exponential(millis(base_millis), secs(20))
        .jitter(Jitter::None)
        .max_attempts(max_attempts)
}

/// A downstream whose quota is used up, by the one retry that it has room for.
async fn used_up(quota: Downstream) -> Downstream {
    assert_eq!(call(policy(50, 2), &quota, []).await.left, 0.0);
    quota
}

mod v2_0 {
    use super::*;

    fn quota(tokens: u32) -> Downstream {
        Downstream::new("aws").budget(Budget::costs(tokens).timeout_cost(tokens.min(10)))
    }

    #[tokio::test(start_paused = true)]
    async fn retry_eventually_succeeds() {
        let course = call(policy(1_000, 3), &quota(500), [BROKEN, BROKEN, OK]).await;
        course.is(&[(495.0, 1.0), (490.0, 2.0)], None, 495.0);
    }

    #[tokio::test(start_paused = true)]
    async fn max_attempts_reached() {
        let course = call(policy(1_000, 3), &quota(500), [BROKEN; 3]).await;
        course.is(&[(495.0, 1.0), (490.0, 2.0)], OUT_OF_ATTEMPTS, 490.0);
    }

    #[tokio::test(start_paused = true)]
    async fn quota_reached_after_one_retry() {
        let course = call(policy(1_000, 3), &quota(5), [BROKEN; 2]).await;
        course.is(&[(0.0, 1.0)], OUT_OF_QUOTA, 0.0);
    }

    #[tokio::test(start_paused = true)]
    async fn no_retries_with_a_quota_of_zero() {
        let quota = used_up(quota(5)).await;
        call(policy(1_000, 3), &quota, [BROKEN]).await.is(&[], OUT_OF_QUOTA, 0.0);
    }

    #[tokio::test(start_paused = true)]
    async fn exponential_timing() {
        let course = call(policy(1_000, 5), &quota(500), [BROKEN; 5]).await;
        let retries = [(495.0, 1.0), (490.0, 2.0), (485.0, 4.0), (480.0, 8.0)];
        course.is(&retries, OUT_OF_ATTEMPTS, 480.0);
    }

    #[tokio::test(start_paused = true)]
    async fn max_backoff_time() {
        let capped = Policy::exponential(secs(1), secs(3)).jitter(Jitter::None).max_attempts(5);
        let course = call(capped, &quota(500), [BROKEN; 5]).await;
        let retries = [(495.0, 1.0), (490.0, 2.0), (485.0, 3.0), (480.0, 3.0)];
        course.is(&retries, OUT_OF_ATTEMPTS, 480.0);
    }

    /// A timeout costs 10, and a success gives the last cost back.
    #[tokio::test(start_paused = true)]
    async fn a_retry_after_a_timeout_costs_ten() {
        let quota = quota(500);
        let impatient = policy(1_000, 3).attempt_timeout(secs(1));
        let slow = Dependency::that_answers(&quota, [OK, BROKEN, OK]).slow_at_first([secs(2)]);
        let course = slow.call(impatient).await;
        // The wait is counted from the start of the attempt that was cut after one second.
        course.is(&[(490.0, 2.0), (485.0, 2.0)], None, 490.0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_success_without_a_retry_gives_one_back() {
        let quota = quota(500);
        call(policy(1_000, 2), &quota, [BROKEN; 2]).await.is(
            &[(495.0, 1.0)],
            OUT_OF_ATTEMPTS,
            495.0,
        );
        for left in [496.0, 497.0, 498.0, 499.0, 500.0, 500.0] {
            call(policy(1_000, 2), &quota, [OK]).await.is(&[], None, left);
        }
    }
}

mod v2_1 {
    use super::*;

    fn quota(tokens: u32) -> Downstream {
        let costs = Budget::costs(tokens).retry_cost(14).timeout_cost(14).throttled_cost(5);
        Downstream::new("aws").budget(costs)
    }

    #[tokio::test(start_paused = true)]
    async fn retry_eventually_succeeds() {
        let course = call(policy(50, 3), &quota(500), [BROKEN, BROKEN, OK]).await;
        course.is(&[(486.0, 0.05), (472.0, 0.1)], None, 486.0);
    }

    #[tokio::test(start_paused = true)]
    async fn max_attempts_reached() {
        let course = call(policy(50, 3), &quota(500), [BROKEN; 3]).await;
        course.is(&[(486.0, 0.05), (472.0, 0.1)], OUT_OF_ATTEMPTS, 472.0);
    }

    #[tokio::test(start_paused = true)]
    async fn quota_reached_after_one_retry() {
        let course = call(policy(50, 3), &quota(14), [BROKEN; 2]).await;
        course.is(&[(0.0, 0.05)], OUT_OF_QUOTA, 0.0);
    }

    #[tokio::test(start_paused = true)]
    async fn no_retries_with_a_quota_of_zero() {
        let quota = used_up(quota(14)).await;
        call(policy(50, 3), &quota, [BROKEN]).await.is(&[], OUT_OF_QUOTA, 0.0);
    }

    #[tokio::test(start_paused = true)]
    async fn exponential_timing() {
        let course = call(policy(50, 5), &quota(500), [BROKEN; 5]).await;
        let retries = [(486.0, 0.05), (472.0, 0.1), (458.0, 0.2), (444.0, 0.4)];
        course.is(&retries, OUT_OF_ATTEMPTS, 444.0);
    }

    #[tokio::test(start_paused = true)]
    async fn max_backoff_time() {
        let capped =
            Policy::exponential(millis(50), millis(200)).jitter(Jitter::None).max_attempts(5);
        let course = call(capped, &quota(500), [BROKEN; 5]).await;
        let retries = [(486.0, 0.05), (472.0, 0.1), (458.0, 0.2), (444.0, 0.2)];
        course.is(&retries, OUT_OF_ATTEMPTS, 444.0);
    }

    #[tokio::test(start_paused = true)]
    async fn quota_runs_out() {
        let course = call(policy(50, 5), &quota(20), [BROKEN; 2]).await;
        course.is(&[(6.0, 0.05)], OUT_OF_QUOTA, 6.0);
    }

    #[tokio::test(start_paused = true)]
    async fn quota_recovers_after_successes() {
        let quota = quota(30);
        let course = call(policy(50, 5), &quota, [BROKEN, BROKEN, OK]).await;
        course.is(&[(16.0, 0.05), (2.0, 0.1)], None, 16.0);
        call(policy(50, 5), &quota, [BROKEN, OK]).await.is(&[(2.0, 0.05)], None, 16.0);
    }

    #[tokio::test(start_paused = true)]
    async fn shared_by_two_calls_at_once() {
        let quota = quota(500);
        let first = call(policy(50, 5), &quota, [BROKEN, BROKEN, OK]);
        let second = async {
            sleep(millis(60)).await;
            call(policy(50, 5), &quota, [BROKEN, OK]).await
        };
        let (first, second) = tokio::join!(first, second);
        // The third attempt of the first call begins when the second call has ended.
        first.is(&[(486.0, 0.05), (472.0, 0.1)], None, 486.0);
        second.is(&[(458.0, 0.05)], None, 472.0);
        assert_eq!(quota.retry_tokens(), 486.0);
    }

    #[tokio::test(start_paused = true)]
    async fn dynamodb() {
        let course = call(policy(25, 4), &quota(500), [BROKEN; 4]).await;
        let retries = [(486.0, 0.025), (472.0, 0.05), (458.0, 0.1)];
        course.is(&retries, OUT_OF_ATTEMPTS, 458.0);
    }

    /// Of botocore: a timeout costs as much as any other failure.
    #[tokio::test(start_paused = true)]
    async fn a_retry_after_a_timeout_costs_fourteen() {
        let quota = quota(500);
        let slow = Dependency::that_answers(&quota, [OK, OK]).slow_at_first([secs(2)]);
        let course = slow.call(policy(1_000, 3).attempt_timeout(secs(1))).await;
        course.is(&[(486.0, 2.0)], None, 500.0);
    }

    /// Of botocore: one failed request gives nothing back, and a success without a retry one unit.
    #[tokio::test(start_paused = true)]
    async fn what_gives_back() {
        let quota = quota(500);
        call(policy(50, 2), &quota, [BROKEN; 2]).await.is(&[(486.0, 0.05)], OUT_OF_ATTEMPTS, 486.0);
        call(policy(50, 2), &quota, [REFUSED]).await.is(&[], Some(Reason::NotRetryable), 486.0);
        call(policy(50, 2), &quota, [OK]).await.is(&[], None, 487.0);
    }

    /// The quota is theirs. The delay is not: there is one base for all failures of a policy.
    #[tokio::test(start_paused = true)]
    async fn throttling_costs_five_and_waits_as_the_policy_says() {
        let answers = [THROTTLED, OK];
        call(policy(50, 3), &quota(500), answers).await.is(&[(495.0, 0.05)], None, 500.0);
        // Theirs is 1 s after throttling: by a base of one second, or by what the error says.
        call(policy(1_000, 3), &quota(500), answers).await.is(&[(495.0, 1.0)], None, 500.0);
        let answers = [come_back(THROTTLED, secs(1)), OK];
        call(policy(50, 3), &quota(500), answers).await.is(&[(495.0, 1.0)], None, 500.0);
    }

    /// `x-amz-retry-after`: theirs is kept between the delay and five seconds more, ours is obeyed.
    #[tokio::test(start_paused = true)]
    async fn retry_after() {
        let unreadable = BROKEN;
        for (header, answer, delay) in [
            ("1500", come_back(BROKEN, millis(1_500)), 1.5),
            ("0", come_back(BROKEN, secs(0)), 0.05),
            ("invalid", unreadable, 0.05),
            ("-100", unreadable, 0.05),
            // Theirs is 5.05.
            ("10000", come_back(BROKEN, secs(10)), 10.0),
            // Not among the vectors; theirs would be 0.05.
            ("20", come_back(BROKEN, millis(20)), 0.02),
        ] {
            println!("x-amz-retry-after: {header}");
            let course = call(policy(50, 3), &quota(500), [answer, OK]).await;
            course.is(&[(486.0, delay)], None, 500.0);
        }
    }

    /// Operations that poll: theirs sleep (0.05 s after the first two) before they fail for lack of
    /// quota. Ours never wait after the last attempt.
    #[tokio::test(start_paused = true)]
    async fn polling() {
        let empty = used_up(quota(14)).await;
        call(policy(50, 3), &empty, [BROKEN]).await.is(&[], OUT_OF_QUOTA, 0.0);
        call(policy(50, 3), &empty, [THROTTLED]).await.is(&[], OUT_OF_QUOTA, 0.0);
        // The other three rows say so too.
        let course = call(policy(50, 2), &quota(500), [BROKEN; 2]).await;
        course.is(&[(486.0, 0.05)], OUT_OF_ATTEMPTS, 486.0);
        let course = call(policy(50, 2), &quota(500), [BROKEN, OK]).await;
        course.is(&[(486.0, 0.05)], None, 500.0);
        let course = call(policy(50, 2), &quota(500), [REFUSED]).await;
        course.is(&[], Some(Reason::NotRetryable), 500.0);
    }
}
