#![deny(warnings)]
use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;

const LOCAL: Policy = Policy::fixed(Duration::from_millis(5))
    .jitter(Jitter::None)
    .attempt_timeout(Duration::from_millis(2))
    .deadline(Duration::from_secs(1));

#[retry(
    policy = LOCAL,
    idempotent,
    allow(no_jitter = "one caller", short_attempt_timeout = "a cache on the same machine"),
)]
async fn read() -> Result<u32, E> {
    down(1).await?;
    std::future::pending().await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Ok(8)]);
    assert_eq!(read().await, Err(E(1)), "the last real error, not the timeout");
    assert_eq!(calls(), [1, 1, 1]);
}
