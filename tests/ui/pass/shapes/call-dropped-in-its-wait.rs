#![deny(warnings)]
use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;

const SLOW: Policy =
    Policy::fixed(Duration::from_secs(10)).jitter(Jitter::Equal).deadline(Duration::from_secs(60));

#[retry(policy = SLOW, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    let impatient = tokio::time::timeout(Duration::from_secs(1), read());
    assert!(impatient.await.is_err());
    assert_eq!(calls(), [1]);
}
