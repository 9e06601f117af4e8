//! The same features put together from four crates.

use super::{pauses, services};
use crate::calls::ATTEMPT;
use crate::calls::body::{Body, Failed};
use crate::calls::case::Case;
use crate::calls::names::ASSEMBLED;
use backon::Retryable;
use recloser::{AsyncRecloser, Error, Recloser};
use std::sync::Arc;
use tokio::time::timeout;
use tower::retry::budget::{Budget, TpsBudget};

struct Shared {
    budget: Arc<TpsBudget>,
    breaker: AsyncRecloser,
}

pub(super) fn case<B: Body>() -> Case {
    let make = || {
        // It opens on nothing but failures, so that two of three calls may fail.
        let breaker = AsyncRecloser::from(Recloser::custom().error_rate(1.0).build());
        // It is lent to the futures, and lives as long as the process.
        let shared: &'static _ =
            Box::leak(Box::new(Shared { budget: services::budget(), breaker }));
        move |number| call::<B>(shared, number)
    };
    Case::new(ASSEMBLED, make)
}

async fn call<B: Body>(shared: &'static Shared, number: u64) -> Result<u64, Failed> {
    shared.budget.deposit();
    let attempt = move || async move {
        match timeout(ATTEMPT, shared.breaker.call(B::run(number))).await {
            Ok(Ok(number)) => Ok(number),
            Ok(Err(Error::Inner(failed))) => Err(failed),
            Ok(Err(Error::Rejected)) | Err(_) => Err(Failed),
        }
    };
    attempt.retry(pauses()).when(|_| shared.budget.withdraw()).await
}
