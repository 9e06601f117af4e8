#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Policy, Reason};
use std::time::Duration;

const CUT: Policy = Policy::fixed(Duration::from_millis(10))
    .attempt_timeout(Duration::from_millis(100))
    .deadline(Duration::from_secs(1));

#[retry(policy = CUT, idempotent)]
async fn read() -> Result<u32, Error<E>> {
    down(1).await?;
    std::future::pending().await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(500)), Ok(0), Ok(0)]);
    let error = read().await.unwrap_err();
    assert_eq!((error.reason(), error.last()), (Reason::AttemptLimit, Some(&E(500))));
    script([Ok(0), Ok(0), Ok(0)]);
    assert_eq!(read().await.unwrap_err().last(), None);
    assert_eq!(calls(), [1, 1, 1]);
}
