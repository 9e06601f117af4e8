#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Error, Policy, Reason};
use std::time::Duration;
use tokio::time::Instant;

const POLITE: Policy = Policy::fixed(Duration::from_millis(10))
    .max_retry_after(Duration::from_secs(30))
    .deadline(Duration::from_secs(120));

fn busy(error: &E) -> Class {
    Class::THROTTLED.retry_after(Duration::from_secs(error.0.into()))
}

#[retry(policy = POLITE, idempotent, classify = busy)]
async fn read() -> Result<u32, Error<E>> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([Err(E(7)), Err(E(31))]);
    let error = read().await.unwrap_err();
    assert_eq!(error.reason(), Reason::RetryAfterTooLong);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(31)));
    assert_eq!((begin.elapsed(), calls()), (Duration::from_secs(7), vec![1, 1]));
}
