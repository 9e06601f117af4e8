//! The same calls under the attribute.

use super::body::{Body, Failed};
use super::case::{Case, Series};
use super::names::COMPLETE;
use super::{ATTEMPT, ATTEMPTS, BASE, CAP, DEADLINE, Situation};
use retry_runtime::{AdaptiveTimeout, Breaker, Downstream, Error, Policy, retry};

const PAUSES: Policy = Policy::exponential(BASE, CAP).max_attempts(ATTEMPTS).deadline(DEADLINE);
const TIMED: Policy = PAUSES.attempt_timeout(ATTEMPT);
const ADAPTED: Policy = TIMED.adaptive_timeout(AdaptiveTimeout::DEFAULT);

/// As long as a UUID.
const KEY: &str = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";

static COUNTING: Downstream =
    Downstream::new("counting").breaker(Breaker::failure_ratio(1.0).minimum_calls(u32::MAX));

pub(super) fn cases<B: Body>(situation: Situation) -> Vec<Case> {
    let mut cases = vec![
        Case::new(COMPLETE, || complete::<B>),
        Case::new("retry, complete, with the reason in its error", || with_reason::<B>),
        Case::new("retry, complete, adaptive timeout", || adaptive::<B>),
        Case::new("retry, complete, a write with a key", || keyed::<B>),
    ];
    if situation != Situation::FailsTwice {
        // Their budgets do not pay for two retries a call, and a call inside another has none.
        cases.extend([
            Case::new("retry, a policy and nothing else", || bare::<B>),
            Case::new("retry, complete, breaker by failure ratio", || by_ratio::<B>),
            Case::new("retry, complete, inside another call", || complete::<B>).within(inside),
        ]);
    }
    cases
}

#[retry(policy = PAUSES, idempotent)]
async fn bare<B: Body>(number: u64) -> Result<u64, Failed> {
    B::run(number).await
}

/// With an attempt timeout, a deadline, a budget and a breaker.
#[retry(policy = TIMED, idempotent, downstream = B::SERVICE)]
async fn complete<B: Body>(number: u64) -> Result<u64, Failed> {
    B::run(number).await
}

/// The same, with all that is known of a call that fails.
#[retry(policy = TIMED, idempotent, downstream = B::SERVICE)]
async fn with_reason<B: Body>(number: u64) -> Result<u64, Error<Failed>> {
    B::run(number).await
}

#[retry(policy = TIMED, idempotent, downstream = COUNTING)]
async fn by_ratio<B: Body>(number: u64) -> Result<u64, Failed> {
    B::run(number).await
}

#[retry(policy = ADAPTED, idempotent, downstream = B::SERVICE)]
async fn adaptive<B: Body>(number: u64) -> Result<u64, Failed> {
    B::run(number).await
}

#[retry(
    policy = TIMED,
    idempotency_key = KEY,
    downstream = B::SERVICE,
    allow(key_unused = "nobody looks at it here")
)]
async fn keyed<B: Body>(number: u64) -> Result<u64, Failed> {
    B::run(number).await
}

fn inside(mut series: Series) -> Series {
    Box::pin(async move { outer(&mut series).await.unwrap_or(false) })
}

/// All calls of a series are made inside one attempt.
#[retry(
    policy = PAUSES,
    idempotent,
    allow(mutable_parameter = "a series that fails is not measured")
)]
async fn outer(series: &mut Series) -> Result<bool, Failed> {
    Ok(series.as_mut().await)
}
