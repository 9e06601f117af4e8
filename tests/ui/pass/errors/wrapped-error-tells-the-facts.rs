#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Outcome, Reason};
use std::error::Error as _;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, Error<E>> {
    let answer = down(1).await?;
    Ok(answer)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(500)), Err(E(502)), Err(E(504))]);
    let error = read().await.unwrap_err();
    assert_eq!((error.reason(), error.outcome()), (Reason::AttemptLimit, Outcome::Unknown));
    assert_eq!((error.attempts(), error.last()), (3, Some(&E(504))));
    assert_eq!(error.source().unwrap().to_string(), "status 504");
    assert_eq!(error.into_last(), Some(E(504)));
    assert_eq!(calls(), [1, 1, 1]);
}
