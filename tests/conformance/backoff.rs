//! The delays of other libraries, and the ranges that they are drawn from.
//!
//! Sources: boto/botocore `tests/unit/retries/test_standard_retry_v2_1.py`; twitter/finagle, under
//! `finagle-core/src/test/scala/com/twitter/finagle/`: `BackoffTest.scala` and, older,
//! `service/BackoffTest.scala`; App-vNext/Polly `test/Polly.Core.Tests/Retry/RetryHelperTests.cs`;
//! envoyproxy/envoy `test/common/common/backoff_strategy_test.cc`,
//! `test/common/router/retry_state_impl_test.cc`; mongodb/specifications
//! `source/client-backpressure/tests/README.md`, of two dates; hynek/stamina
//! `src/stamina/_core.py`; linkerd/linkerd2-proxy `linkerd/exp-backoff/src/lib.rs`;
//! aws-samples/aws-arch-backoff-simulator `src/backoff_simulator.py`.

use crate::dependency::{BROKEN, Dependency, call};
use crate::time::{DAY, millis, secs};
use retry_runtime::decide::{Decision, Delay, Situation, decide};
use retry_runtime::{Breaker, Budget, Class, Downstream, Jitter, Policy, Reason};
use std::time::Duration;

/// The delay before a retry, counted from 1, for a random number.
fn delay(policy: Policy, retry: u32, previous_delay: Option<Duration>, draw: u64) -> Delay {
    let decision = decide(&Situation {
        policy: &policy.max_attempts(u32::MAX),
        attempt: retry,
        owner: true,
        retries_left: u32::MAX,
        class: Class::TRANSIENT,
        unanswered: false,
        time_left: Duration::MAX,
        previous_delay,
        open_for: None,
        token_available: true,
        draw,
    });
    let Decision::Retry(delay) = decision else { panic!("{decision:?}") };
    delay
}

/// The shortest and the longest delay before a retry.
fn range(policy: Policy, retry: u32, previous_delay: Option<Duration>) -> (Duration, Duration) {
    let [shortest, longest] = [0, u64::MAX].map(|draw| delay(policy, retry, previous_delay, draw));
    assert_eq!(longest.drawn, longest.limit);
    (shortest.drawn, longest.drawn)
}

/// The delays are these without jitter, and the longest with full jitter.
#[track_caller]
fn delays_are(policy: Policy, millis_of_each: &[u64]) {
    for (retry, expected) in (1..).zip(millis_of_each) {
        let expected = millis(*expected);
        let exact = policy.jitter(Jitter::None);
        assert_eq!(range(exact, retry, None), (expected, expected), "retry {retry}");
        assert_eq!(range(policy, retry, None), (Duration::ZERO, expected), "retry {retry}");
    }
}

fn exponential(base_millis: u64, cap_millis: u64) -> Policy {
    Policy::exponential(millis(base_millis), millis(cap_millis))
}

#[test]
fn exponential_delays() {
    // botocore, version 2.1 of the standard mode: 50 ms up to 20 s.
    let botocore = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 20_000, 20_000];
    delays_are(exponential(50, 20_000), &botocore);
    // Finagle: `exponential` and `exponential with maximum`, of both dates.
    delays_are(exponential(2, 86_400_000), &[2, 4, 8, 16, 32]);
    delays_are(exponential(2, 15), &[2, 4, 8, 15, 15]);
    delays_are(exponential(1, 5), &[1, 2, 4, 5, 5]);
    let seconds: Vec<_> = (0..10).map(|retry| 1_000 << retry).collect();
    delays_are(exponential(1_000, 86_400_000), &seconds);
    // Polly: `Exponential_Ok`.
    delays_are(exponential(1_000, 86_400_000), &[1_000, 2_000, 4_000]);
    // stamina, without its jitter, which is added: up to one second, whatever the retry.
    delays_are(exponential(100, 5_000), &[100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    // MongoDB, in the present and in an earlier version.
    delays_are(exponential(200, 10_000), &[200, 400]);
    delays_are(exponential(100, 10_000), &[100, 200, 400, 800, 1_600]);
    // AWS's simulator: 5 doubled from the first retry on, up to 2,000.
    delays_are(exponential(10, 2_000), &[10, 20, 40, 80, 160, 320, 640, 1_280, 2_000, 2_000]);
}

#[test]
fn constant_delays() {
    // Polly: `Constant_Ok` and `MaxDelay_DelayLessThanMaxDelay_Respected`.
    delays_are(Policy::fixed(secs(1)), &[1_000, 1_000, 1_000]);
    // Finagle: `const`, of both dates.
    delays_are(Policy::fixed(millis(7)), &[7; 7]);
    delays_are(Policy::fixed(secs(10)), &[10_000; 10]);
}

/// Polly: `Constant_Jitter_Ok` is 0.75 to 1.25 s. No jitter here goes beyond the limit.
#[test]
fn jitter_lies_below_the_limit() {
    let second = Policy::fixed(secs(1));
    let ranges = [Jitter::Full, Jitter::Equal, Jitter::None]
        .map(|jitter| range(second.jitter(jitter), 1, None));
    assert_eq!(ranges, [(millis(0), secs(1)), (millis(500), secs(1)), (secs(1), secs(1))]);
    // gRPC draws from 0.8 to 1.2 of a delay.
    let grpc = Policy::exponential(secs(100), secs(700));
    let (_, longest) = range(grpc, 5, None);
    assert_eq!(longest, secs(700));
}

/// Polly: the numbers of `Attempts`, `GetRetryDelay_Overflow*` and `*_Does_Not_Exceed_MaxDelay`.
#[test]
fn large_numbers_of_attempts() {
    for attempt in [1, 2, 3, 4, 10, 100, 1_000, 1_024, 1_025, u32::MAX - 1] {
        for jitter in [Jitter::Full, Jitter::Equal, Jitter::None] {
            let (_, longest) = range(exponential(2_000, 30_000).jitter(jitter), attempt, None);
            assert_eq!(longest, secs(2 * 2_u64.pow(attempt.min(5) - 1)).min(secs(30)));
        }
    }
    let days = Policy::exponential(DAY, 2 * DAY).jitter(Jitter::None);
    assert_eq!(range(days, 1_000, None), (2 * DAY, 2 * DAY));
    // Theirs without a limit is the longest time that there is; ours is 584 years.
    let endless = Policy::exponential(DAY, Duration::MAX).jitter(Jitter::None);
    assert_eq!(delay(endless, 1_000, None, 0).drawn, Duration::from_nanos(u64::MAX));
}

/// Polly: `MaxDelay_Ok` takes a longest delay of 1 s below a delay of 10 s, and ours is refused.
#[test]
fn a_cap_below_the_base_is_refused() {
    let error = exponential(10_000, 1_000).deadline(DAY).check().unwrap_err().to_string();
    assert!(error.contains("`cap`"), "{error}");
    delays_are(exponential(10_000, 1_000), &[1_000]);
}

/// Finagle, older: `equalJittered`, `exponentialJittered` and `decorrelatedJittered` from 5 ms to
/// 120 ms. Theirs begin with one delay of exactly 5 ms, ours with the first that is drawn.
#[test]
fn jittered_delays() {
    let equal = exponential(10, 120).jitter(Jitter::Equal);
    // Theirs goes from 80 on at the limit, ours from one half of it.
    let ranges = [(5, 10), (10, 20), (20, 40), (40, 80), (60, 120), (60, 120)];
    for (retry, (shortest, longest)) in (1..).zip(ranges) {
        assert_eq!(range(equal, retry, None), (millis(shortest), millis(longest)));
    }
    delays_are(exponential(10, 120), &[10, 20, 40, 80, 120, 120, 120, 120, 120]);
    let decorrelated = exponential(5, 120).jitter(Jitter::Decorrelated);
    for (previous, longest) in [(5, 15), (15, 45), (40, 120), (41, 120), (120, 120)] {
        let range = range(decorrelated, 2, Some(millis(previous)));
        assert_eq!(range, (millis(5), millis(longest)));
    }
}

/// AWS's simulator: the four kinds, at the fourth retry and at the limit. Theirs are of base 5 and
/// doubled before the first retry. A decorrelated delay beyond the limit becomes the limit there;
/// here the range ends at the limit, so that delays do not heap up at it.
#[test]
fn the_four_kinds_of_jitter() {
    let ranges = |retry, previous: u64| {
        let doubled = exponential(10, 2_000);
        let previous = Some(millis(previous));
        [
            range(doubled.jitter(Jitter::None), retry, None),
            range(doubled.jitter(Jitter::Equal), retry, None),
            range(doubled, retry, None),
            range(exponential(5, 2_000).jitter(Jitter::Decorrelated), retry, previous),
        ]
        .map(|(shortest, longest)| (shortest.as_millis(), longest.as_millis()))
    };
    assert_eq!(ranges(4, 100), [(80, 80), (40, 80), (0, 80), (5, 300)]);
    assert_eq!(ranges(9, 1_000), [(2_000, 2_000), (1_000, 2_000), (0, 2_000), (5, 2_000)]);
}

/// Envoy: the tests of its strategy, from 5 to 100 ms and from 25 to 30 ms, where the limits
/// themselves are never drawn. Its manual, and older tests of its router, have delays below 25, 75
/// and 175 ms, up to 250, which grow by `2^n - 1`.
#[test]
fn envoy() {
    delays_are(exponential(5, 100), &[5, 10, 20, 40, 80, 100, 100]);
    delays_are(exponential(25, 30), &[25, 30]);
    let ours = [25, 50, 100, 200, 250];
    delays_are(exponential(25, 250), &ours);
    assert!(ours.into_iter().zip([25, 75, 175, 250, 250]).all(|(ours, manual)| ours <= manual));
}

/// MongoDB: prose test 1, the sum of two delays, or of five; 3, two retries; 4, one retry.
#[tokio::test(start_paused = true)]
async fn mongodb() {
    let present = exponential(200, 10_000).jitter(Jitter::None).max_attempts(3);
    let earlier = exponential(100, 10_000).jitter(Jitter::None).max_attempts(6);
    let budget = Downstream::new("mongodb").budget(Budget::ratio(1.0).per_second(100));
    for (policy, commands, waited) in
        [(present, 3, 0.6), (earlier, 6, 3.1), (present.max_attempts(2), 2, 0.2)]
    {
        let course = call(policy, &budget, []).await;
        assert_eq!((course.attempts(), course.reason()), (commands, Some(Reason::AttemptLimit)));
        assert!((course.waits().iter().sum::<f64>() - waited).abs() < 1e-9);
    }
    // With a jitter of 0 there is no wait at all.
    assert_eq!(delay(exponential(200, 10_000), 1, None, 0).drawn, Duration::ZERO);
}

/// Finagle: `takeUntil`. Delays of 1, 2, 3 and 4 s, and 9 s for all of them: theirs shortens the
/// last to 3 s. Ours begins no wait that would not end in time; the delays here are 1, 2 and 4 s.
#[tokio::test(start_paused = true)]
async fn no_delay_is_shortened_to_fit() {
    let policy = Policy::exponential(secs(1), DAY).jitter(Jitter::None).max_attempts(9);
    let budget = Downstream::new("finagle");
    let course = call(policy.deadline(secs(9)), &budget, []).await;
    assert_eq!((course.waits(), course.reason()), (vec![1.0, 2.0, 4.0], Some(Reason::Deadline)));
    assert_eq!(course.idle, Duration::ZERO);
}

/// Linkerd: how long a breaker stays open, 1 s doubled up to 60 s, and up to half of it more. There
/// the sum is at most 60 s, here the limit is without the jitter.
#[tokio::test(start_paused = true)]
async fn linkerd() {
    for jitter in [0.0, 0.5] {
        let breaker = Breaker::consecutive(7)
            .open_for(secs(1))
            .max_open_for(secs(60))
            .open_jitter(jitter)
            .recover_over(Duration::ZERO);
        let shared = Downstream::new("linkerd").breaker(breaker);
        let server = Dependency::that_answers(&shared, [BROKEN; 6]);
        for _ in 0..7 {
            assert_eq!(shared.breaker_state(), "closed");
            server.call(Policy::once()).await;
        }
        for open in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0] {
            let refused = server.call(Policy::once()).await;
            assert_eq!(refused.reason(), Some(Reason::CircuitOpen));
            let wait = refused.result.unwrap_err().retry_after().unwrap();
            let longest = open * (1.0 + jitter);
            assert!((open..=longest).contains(&wait.as_secs_f64()), "{open}: {wait:?}");
            // One probe, which fails.
            tokio::time::sleep(wait).await;
            server.call(Policy::once()).await;
        }
    }
}
