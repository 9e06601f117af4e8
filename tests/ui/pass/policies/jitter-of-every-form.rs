#![deny(warnings)]
use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;

const BASE: Policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(1))
    .deadline(Duration::from_secs(10));

#[retry(policy = BASE.jitter(Jitter::Full), idempotent)]
async fn full() -> Result<u32, E> {
    down(1).await
}

#[retry(policy = BASE.jitter(Jitter::Equal), idempotent)]
async fn equal() -> Result<u32, E> {
    down(2).await
}

#[retry(policy = BASE.jitter(Jitter::Decorrelated), idempotent)]
async fn decorrelated() -> Result<u32, E> {
    down(3).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8), Err(E(1)), Ok(9)]);
    assert_eq!((full().await, equal().await, decorrelated().await), (Ok(7), Ok(8), Ok(9)));
    assert_eq!(calls(), [1, 1, 2, 2, 3, 3]);
}
