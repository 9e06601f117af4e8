//! gRPC's retries and their throttle.
//!
//! Sources: grpc/proposal `A6-client-retries.md`; grpc/grpc-go `test/retry_test.go`;
//! grpc/grpc-java `core/src/test/java/io/grpc/internal/RetriableStreamTest.java`.

use crate::dependency::{
    Answer, BROKEN, Dependency, Failed, OK, REFUSED, THROTTLED, call, come_back,
};
use crate::time::{millis, secs};
use retry_runtime::{Budget, Class, Downstream, Jitter, Policy, Reason};
use tokio::time::sleep;

/// The backoff of the Go tests, without gRPC's jitter.
const FOUR: Policy = Policy::fixed(millis(10)).jitter(Jitter::None).max_attempts(4);
const ONE: Policy = FOUR.max_attempts(1);
const TWO: Policy = FOUR.max_attempts(2);

const THROTTLED_BY_BUDGET: Option<Reason> = Some(Reason::BudgetExhausted);

fn throttle(max_tokens: u32, token_ratio: f64) -> Downstream {
    Downstream::new("grpc").budget(Budget::throttle(max_tokens, token_ratio))
}

/// The answers of a server that has these for some of its calls, counted from 0, and another for
/// all the rest.
fn answers(listed: &[(usize, Answer)], rest: Answer) -> Vec<Answer> {
    let at = |call| listed.iter().find(|(at, _)| *at == call).map_or(rest, |(_, answer)| *answer);
    (0..20).map(at).collect()
}

/// Go, `TestRetryThrottling`: the end of each call, the number of the server's last call, and the
/// tokens after it. Three of the file's own comments give other tokens, and its codes agree with
/// these.
#[tokio::test(start_paused = true)]
async fn go_retry_throttling() {
    let shared = throttle(10, 0.5);
    let fine = [0, 3, 6, 10, 11, 12, 13, 14, 16, 18].map(|call| (call, OK));
    let server = Dependency::that_answers(&shared, answers(&fine, BROKEN));
    for (stopped, last_call, tokens) in [
        (None, 0, 10.0),
        (None, 3, 8.5),
        (None, 6, 7.0),
        (THROTTLED_BY_BUDGET, 8, 5.0),
        (THROTTLED_BY_BUDGET, 9, 4.0),
        (None, 10, 4.5),
        (None, 11, 5.0),
        (None, 12, 5.5),
        (None, 13, 6.0),
        (None, 14, 6.5),
        (None, 16, 6.0),
        (THROTTLED_BY_BUDGET, 17, 5.0),
    ] {
        let course = server.call(FOUR).await;
        assert_eq!((course.reason(), course.left), (stopped, tokens), "call {last_call}");
        assert_eq!(server.count() - 1, last_call);
    }
}

/// Go, `TestRetryUnary`: there is no throttle, so the budget here is one that never stops anything.
#[tokio::test(start_paused = true)]
async fn go_retry_unary() {
    let shared = Downstream::new("grpc").budget(Budget::ratio(1.0).per_second(100));
    let listed = [(0, OK), (2, OK), (5, OK), (6, REFUSED), (8, REFUSED), (11, REFUSED)];
    let server = Dependency::that_answers(&shared, answers(&listed, BROKEN));
    for (stopped, last_call) in [
        (None, 0),
        (None, 2),
        (None, 5),
        (Some(Reason::NotRetryable), 6),
        (Some(Reason::NotRetryable), 8),
        (Some(Reason::NotRetryable), 11),
        (Some(Reason::AttemptLimit), 15),
    ] {
        assert_eq!(server.call(FOUR).await.reason(), stopped, "call {last_call}");
        assert_eq!(server.count() - 1, last_call);
    }
}

/// Java, `throttle`: the tokens after each step. Whether they are above the threshold is asked
/// there after every step, and here only where a retry depends on it, which is after a failure: an
/// answer that counts for nothing follows, or nothing does.
#[tokio::test(start_paused = true)]
async fn java_throttle() {
    let shared = throttle(4, 0.8);
    for (tokens, above) in
        [(3.0, true), (2.0, false), (1.0, false), (0.0, false), (0.0, false), (0.0, false)]
    {
        let course = call(TWO, &shared, [BROKEN, REFUSED]).await;
        assert_eq!((course.left, course.attempts() == 2), (tokens, above));
    }
    // A comment of the file gives 3.2 after the third success.
    for tokens in [0.8, 1.6, 2.4, 3.2, 4.0, 4.0] {
        assert_eq!(call(ONE, &shared, [OK]).await.left, tokens);
    }
    for (tokens, above) in [(3.0, true), (2.0, false)] {
        let course = call(TWO, &shared, [BROKEN, REFUSED]).await;
        assert_eq!((course.left, course.attempts() == 2), (tokens, above));
    }
}

/// Java, `throttleStream_Succeed`: three failures, two successes. 2.6 tokens are above the threshold
/// of 2, but the failure counts before it is asked, and leaves 1.6.
#[tokio::test(start_paused = true)]
async fn java_throttle_and_success() {
    let shared = throttle(4, 0.8);
    for (answer, tokens) in [(BROKEN, 3.0), (BROKEN, 2.0), (BROKEN, 1.0), (OK, 1.8), (OK, 2.6)] {
        assert_eq!(call(ONE, &shared, [answer]).await.left, tokens);
    }
    call(TWO, &shared, [BROKEN]).await.is(&[], THROTTLED_BY_BUDGET, 1.6);
}

/// Java, `throttledStream_*`, with 3 of 4 tokens left: the failure, why the call ends with it, and
/// the tokens after it. A pushback that is negative or unreadable says "never", which is a permanent
/// failure here.
#[tokio::test(start_paused = true)]
async fn java_pushback_and_throttle() {
    for (failure, stopped, tokens) in [
        (BROKEN, THROTTLED_BY_BUDGET, 2.0),
        (REFUSED, Some(Reason::NotRetryable), 3.0),
        (come_back(BROKEN, millis(123)), THROTTLED_BY_BUDGET, 2.0),
        // Theirs is retried after 123 ms: a server may ask for what the client would not do.
        (come_back(REFUSED, millis(123)), Some(Reason::NotRetryable), 3.0),
        // Of a status that may be retried, and of one that may not. Theirs count: 2 tokens are left.
        (never(BROKEN), Some(Reason::NotRetryable), 3.0),
        (never(REFUSED), Some(Reason::NotRetryable), 3.0),
    ] {
        let shared = throttle(4, 0.8);
        assert_eq!(call(ONE, &shared, [BROKEN]).await.left, 3.0);
        call(FOUR, &shared, [failure]).await.is(&[], stopped, tokens);
    }
}

/// What an error type makes of an answer with a pushback that says "never".
fn never(answer: Answer) -> Answer {
    answer.map_err(|_| Failed(Class::PERMANENT))
}

/// Above the threshold a pushback is the delay, exactly.
#[tokio::test(start_paused = true)]
async fn pushback_is_obeyed() {
    let shared = throttle(4, 0.8);
    let course = call(FOUR, &shared, [come_back(BROKEN, millis(123)), OK]).await;
    course.is(&[(3.0, 0.123)], None, 3.8);
}

const SLOW: Policy = Policy::exponential(secs(100), secs(700)).jitter(Jitter::None).max_attempts(6);

/// Java, `expBackoff_maxBackoff_maxRetryAttempts`: 100 s, times 2, up to 700 s, six attempts.
#[tokio::test(start_paused = true)]
async fn java_backoff() {
    let course = call(SLOW, &throttle(1_000, 1.0), []).await;
    assert_eq!(course.waits(), [100.0, 200.0, 400.0, 700.0, 700.0]);
    assert_eq!(course.reason(), Some(Reason::AttemptLimit));
}

/// Java, `pushback`: after two pushbacks theirs begins anew with 100, 200 and 400 s. Ours goes by
/// the number of the attempt. A pushback after the last attempt brings no other one.
#[tokio::test(start_paused = true)]
async fn java_backoff_after_pushback() {
    let patient = SLOW.max_retry_after(secs(4_567));
    let long = come_back(BROKEN, secs(4_567));
    let answers = [come_back(BROKEN, millis(123)), long, BROKEN, BROKEN, BROKEN, long];
    let course = call(patient, &throttle(1_000, 1.0), answers).await;
    assert_eq!(course.waits(), [0.123, 4_567.0, 400.0, 700.0, 700.0]);
    assert_eq!(course.reason(), Some(Reason::AttemptLimit));
}

/// A6: `maxTokens` is in (0, 1000], and `tokenRatio` is greater than 0 with up to three decimals.
#[test]
fn the_limits_of_the_throttle() {
    for (max_tokens, token_ratio, sound) in [
        (0, 0.1, false),
        (1, 0.1, true),
        (1_000, 0.001, true),
        (1_001, 0.1, false),
        (10, 0.0, false),
        (10, -0.1, false),
        // Ours: more than a success can have cost is a mistake.
        (10, 10.1, false),
    ] {
        let budget = Budget::throttle(max_tokens, token_ratio);
        assert_eq!(budget.check().is_ok(), sound, "{max_tokens} tokens, {token_ratio}");
    }
}

/// A6 does not count a request that never left the client, and repeats it beside the policy. Here
/// every retry is an attempt, and every failure that may be retried counts.
#[tokio::test(start_paused = true)]
async fn there_are_no_transparent_retries() {
    let unsent = Err(Failed(Class::TRANSIENT.not_sent()));
    let shared = throttle(10, 0.5);
    let course = call(FOUR, &shared, [unsent; 4]).await;
    let retries = [(9.0, 0.01), (8.0, 0.01), (7.0, 0.01)];
    course.is(&retries, Some(Reason::AttemptLimit), 6.0);
}

/// Java's `hedging_throttledByOtherCall` still sends what was scheduled before the tokens fell, and
/// A6 says to stop. There is no hedging here. A retry that was decided is made, as theirs are.
#[tokio::test(start_paused = true)]
async fn a_retry_that_was_decided_is_made() {
    let shared = throttle(10, 0.5);
    let waiting = call(TWO, &shared, [BROKEN, OK]);
    let others = async {
        sleep(millis(5)).await;
        let server = Dependency::that_answers(&shared, [THROTTLED; 5]);
        for _ in 0..5 {
            server.call(ONE).await;
        }
        assert_eq!(shared.retry_tokens(), 4.0);
    };
    let (course, ()) = tokio::join!(waiting, others);
    course.is(&[(4.0, 0.01)], None, 4.5);
}
