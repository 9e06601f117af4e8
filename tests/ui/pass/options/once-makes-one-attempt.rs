#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Outcome, Policy, Reason};
use std::time::Duration;

const ONE: Policy = Policy::once().deadline(Duration::from_secs(1));
const ALSO_ONE: Policy = P.max_attempts(1);

#[retry(policy = ONE, once)]
async fn append(line: &str) -> Result<u32, Error<E>> {
    down(line.len() as u32).await
}

#[retry(policy = ALSO_ONE, once)]
async fn hang() -> Result<u32, Error<E>> {
    std::future::pending().await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    let error = append("abc").await.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (1, Reason::AttemptLimit));
    let error = hang().await.unwrap_err();
    assert_eq!((error.outcome(), error.reason()), (Outcome::Unknown, Reason::Deadline));
    assert_eq!(calls(), [3]);
}
