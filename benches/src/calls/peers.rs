//! The same calls by other crates.

mod assembled;
mod layers;
mod services;

use super::body::{Body, Failed};
use super::case::Case;
use super::names::EXECUTION_POLICY;
use super::{ATTEMPT, ATTEMPTS, BASE, CAP, DEADLINE, Situation};
use backon::Retryable;

/// As many retries and breaker failures as there may be: what is measured is what is asked of them.
const PLENTY: u32 = 1_000_000_000;

pub(super) fn cases<B: Body>(situation: Situation) -> Vec<Case> {
    let mut cases = vec![
        Case::new("backon", || |number| (move || B::run(number)).retry(pauses())),
        Case::new("tokio-retry", || {
            |number| {
                use tokio_retry::strategy::{ExponentialBackoff, jitter};
                let pauses = ExponentialBackoff::from_millis(2).factor(5).map(jitter);
                let retries = usize::try_from(ATTEMPTS - 1).unwrap_or_default();
                tokio_retry::Retry::start(pauses.take(retries), move || B::run(number))
            }
        }),
        services::tower::<B>(),
        execution_policy::<B>(),
        assembled::case::<B>(),
    ];
    // Its clock is not tokio's, so that it cannot be virtual.
    if situation != Situation::FailsTwice {
        cases.push(layers::seatbelt::<B>());
    }
    cases
}

fn pauses() -> backon::ExponentialBuilder {
    let retries = usize::try_from(ATTEMPTS - 1).unwrap_or_default();
    backon::ExponentialBuilder::new()
        .with_min_delay(BASE)
        .with_max_delay(CAP)
        .with_max_times(retries)
        .with_jitter()
}

/// With all that it has: attempt timeout, deadline, budget and breaker.
fn execution_policy<B: Body>() -> Case {
    use execution_policy::{CircuitBreaker, ExecutionPolicyBuilder, Jitter, Retry, RetryBudget};
    let make = || {
        let retry = Retry::exponential()
            .max_attempts(ATTEMPTS)
            .base_delay(BASE)
            .jitter(Jitter::Full)
            .budget(RetryBudget::new(1.0, PLENTY));
        let policy = ExecutionPolicyBuilder::<u64, Failed>::new()
            .retry(retry)
            .attempt_timeout(ATTEMPT)
            .total_timeout(DEADLINE)
            .circuit_breaker(CircuitBreaker::failure_ratio().minimum_throughput(PLENTY))
            .build();
        // It lends itself to its futures, and lives as long as the process.
        let policy: &'static _ = Box::leak(Box::new(policy));
        move |number| policy.run(async move || B::run(number).await)
    };
    Case::new(EXECUTION_POLICY, make)
}
