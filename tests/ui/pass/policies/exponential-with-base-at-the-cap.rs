#![deny(warnings)]
use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;
use tokio::time::Instant;

const LEVEL: Policy = Policy::exponential(Duration::from_secs(10), Duration::from_secs(10))
    .jitter(Jitter::Equal)
    .deadline(Duration::from_secs(60));

#[retry(policy = LEVEL, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([]);
    assert_eq!(read().await, Err(E(503)));
    assert!((Duration::from_secs(10)..=Duration::from_secs(21)).contains(&begin.elapsed()));
    assert_eq!(calls(), [1, 1, 1]);
}
