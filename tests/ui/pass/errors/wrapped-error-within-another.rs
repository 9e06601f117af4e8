#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Reason};

#[retry(policy = P, idempotent)]
async fn inner() -> Result<u32, Error<E>> {
    down(1).await
}

#[retry(policy = P, idempotent)]
async fn outer() -> Result<u32, Error<Error<E>>> {
    let answer = inner().await?;
    Ok(answer + 1)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    let error = outer().await.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (3, Reason::AttemptLimit));
    let inner = error.into_last().unwrap();
    assert_eq!((inner.attempts(), inner.reason()), (1, Reason::NotOwner));
    assert_eq!((inner.into_last(), calls()), (Some(E(503)), vec![1, 1, 1]));
}
