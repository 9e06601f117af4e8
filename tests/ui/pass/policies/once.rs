#![deny(warnings)]
use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

const ONE: Policy =
    Policy::once().attempt_timeout(Duration::from_millis(500)).deadline(Duration::from_secs(1));

#[retry(policy = ONE, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(500)), Ok(7)]);
    assert_eq!(read().await, Err(E(500)));
    assert_eq!(calls(), [1]);
}
