#![deny(warnings)]
use kit::*;
use retry_runtime::Policy;
use std::time::Duration;
use tokio::time::Instant;

const OPTIMISTIC: Policy = Policy::immediate().deadline(Duration::from_secs(1));

#[retry(policy = OPTIMISTIC, idempotent = "compare and swap: a lost race has changed nothing")]
async fn swap(version: u32) -> Result<u32, E> {
    down(version).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([]);
    assert_eq!(swap(6).await, Err(E(503)));
    assert_eq!((begin.elapsed(), calls()), (Duration::ZERO, vec![6, 6]));
}
