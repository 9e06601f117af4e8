#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Jitter, Policy, Reason};
use std::time::Duration;

// Ten attempts would take longer: accepted, because the deadline cuts them.
const UNTIL_LATE: Policy = Policy::fixed(Duration::from_millis(400))
    .jitter(Jitter::Equal)
    .max_attempts(10)
    .deadline(Duration::from_secs(1))
    .cut_by_deadline();

#[retry(policy = UNTIL_LATE, idempotent)]
async fn read() -> Result<u32, Error<E>> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    let error = read().await.unwrap_err();
    assert_eq!((error.reason(), error.last()), (Reason::Deadline, Some(&E(503))));
    assert!((3..=5).contains(&calls().len()), "{:?}", calls());
}
