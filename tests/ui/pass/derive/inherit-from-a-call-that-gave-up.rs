#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Error, Stopped};

#[derive(Debug, thiserror::Error, Classify)]
enum PageError {
    #[error("quote: {0}")]
    #[classify(inherit)]
    Quote(#[from] Error<E>),
    #[error(transparent)]
    #[classify(stopped)]
    Stopped(#[from] Stopped),
}

#[retry(policy = P, idempotent)]
async fn quote() -> Result<u32, Error<E>> {
    down(1).await
}

#[retry(policy = P, idempotent)]
async fn page() -> Result<String, PageError> {
    Ok(quote().await?.to_string())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(page().await.unwrap(), "7");
    assert_eq!(calls(), [1, 1, 1], "the inner call left its retries to the outer one");
}
