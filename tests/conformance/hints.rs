//! How long a server may ask to be left alone.
//!
//! Sources: hashicorp/go-retryablehttp `client_test.go`; envoyproxy/envoy
//! `test/common/common/backoff_strategy_test.cc` and the proto of its route's retry policy;
//! App-vNext/Polly. Here an error type holds the duration that it made of a header; how headers are
//! read is tested where HTTP is, in `tests/wire`.

use crate::dependency::{Answer, BROKEN, OK, THROTTLED, call, come_back};
use crate::time::{millis, secs};
use retry_runtime::{Budget, Downstream, Jitter, Policy, Reason};

const POLICY: Policy = Policy::fixed(millis(100)).jitter(Jitter::None).max_attempts(3);

async fn waits(answer: Answer) -> (Vec<f64>, Option<Reason>) {
    let course = call(POLICY, &Downstream::new("hints"), [answer, OK]).await;
    (course.waits(), course.reason())
}

/// hashicorp: `2` is two seconds, and what cannot be read is no hint. A date in the past is a wait of
/// zero there and in Polly. Here a zero is no hint, so that callers do not come back all at once.
#[tokio::test(start_paused = true)]
async fn seconds_and_what_cannot_be_read() {
    assert_eq!(waits(come_back(THROTTLED, secs(2))).await, (vec![2.0], None));
    assert_eq!(waits(come_back(THROTTLED, secs(0))).await, (vec![0.1], None));
    for unreadable in [BROKEN, THROTTLED] {
        assert_eq!(waits(unreadable).await, (vec![0.1], None));
    }
}

/// No limit at hashicorp; with AWS never more than 5 s beyond the delay; Envoy ignores what is above
/// 300 s. Here 300 s are obeyed, and more ends the call: to come back sooner would be worse.
#[tokio::test(start_paused = true)]
async fn three_hundred_seconds_and_no_more() {
    assert_eq!(waits(come_back(THROTTLED, secs(300))).await, (vec![300.0], None));
    let too_long = (vec![], Some(Reason::RetryAfterTooLong));
    assert_eq!(waits(come_back(THROTTLED, millis(300_001))).await, too_long);

    let patient = POLICY.max_retry_after(secs(3_600));
    let answers = [come_back(THROTTLED, secs(3_600)), OK];
    let course = call(patient, &Downstream::new("hints"), answers).await;
    assert_eq!((course.waits(), course.reason()), (vec![3_600.0], None));
}

/// Envoy draws between the wait and one and a half of it: 522 and 749 ms for 500. Here it is exact.
#[tokio::test(start_paused = true)]
async fn nothing_is_added() {
    for answer in [come_back(THROTTLED, millis(500)), come_back(BROKEN, millis(500))] {
        assert_eq!(waits(answer).await, (vec![0.5], None));
    }
}

/// A hint gives no right to a retry: neither attempts nor a token are spared.
#[tokio::test(start_paused = true)]
async fn a_hint_is_paid_for() {
    let empty = Downstream::new("hints").budget(Budget::ratio(0.5));
    let course = call(POLICY, &empty, [come_back(THROTTLED, secs(1))]).await;
    course.is(&[], Some(Reason::BudgetExhausted), 0.5);
}
