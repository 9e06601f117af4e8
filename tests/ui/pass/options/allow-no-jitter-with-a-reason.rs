#![deny(warnings)]
use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;
use tokio::time::Instant;

const LOCKSTEP: Policy =
    Policy::fixed(Duration::from_secs(1)).jitter(Jitter::None).deadline(Duration::from_secs(60));

#[retry(policy = LOCKSTEP, idempotent, allow(no_jitter = "one caller, and the test counts seconds"))]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(read().await, Ok(7));
    assert_eq!((begin.elapsed(), calls()), (Duration::from_secs(2), vec![1, 1, 1]));
}
