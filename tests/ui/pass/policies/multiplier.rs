#![deny(warnings)]
use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;
use tokio::time::Instant;

const STEEP: Policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(10))
    .multiplier(10.0)
    .jitter(Jitter::None)
    .deadline(Duration::from_secs(60));

#[retry(policy = STEEP, idempotent, allow(no_jitter = "the test counts milliseconds"))]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([]);
    assert_eq!(read().await, Err(E(503)));
    assert_eq!((begin.elapsed(), calls()), (Duration::from_millis(1100), vec![1, 1, 1]));
}
