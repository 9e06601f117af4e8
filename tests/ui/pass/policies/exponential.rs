#![deny(warnings)]
use kit::*;
use retry_runtime::Policy;
use std::time::Duration;
use tokio::time::Instant;

const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .max_attempts(3)
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));

#[retry(policy = CHECKOUT, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([]);
    assert_eq!(read().await, Err(E(503)));
    assert!(begin.elapsed() <= Duration::from_millis(50 + 100 + 2));
    assert_eq!(calls(), [1, 1, 1]);
}
