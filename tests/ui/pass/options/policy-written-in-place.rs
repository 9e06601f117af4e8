#![deny(warnings)]
use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

const fn within(seconds: u64) -> Policy {
    Policy::fixed(Duration::from_millis(5)).deadline(Duration::from_secs(seconds))
}

#[retry(policy = within(2).max_attempts(2), idempotent)]
async fn made() -> Result<u32, E> {
    down(1).await
}

#[retry(policy = { const N: u32 = 4; kit::P.max_attempts(N) }, idempotent)]
async fn block() -> Result<u32, E> {
    down(2).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!((made().await, block().await), (Err(E(503)), Err(E(503))));
    assert_eq!(calls(), [1, 1, 2, 2, 2, 2]);
}
