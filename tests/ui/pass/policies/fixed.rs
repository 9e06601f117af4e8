#![deny(warnings)]
use kit::*;
use retry_runtime::Policy;
use std::time::Duration;
use tokio::time::Instant;

const EVEN: Policy =
    Policy::fixed(Duration::from_millis(200)).max_attempts(5).deadline(Duration::from_secs(2));

#[retry(policy = EVEN, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([]);
    assert_eq!(read().await, Err(E(503)));
    assert!(begin.elapsed() <= Duration::from_millis(4 * 201));
    assert_eq!(calls(), [1, 1, 1, 1, 1]);
}
