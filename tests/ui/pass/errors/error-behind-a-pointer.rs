#![deny(warnings)]
use kit::*;
use retry_runtime::Error;
use std::sync::Arc;

#[retry(policy = P, idempotent)]
async fn shared() -> Result<u32, Error<Arc<E>>> {
    down(1).await.map_err(Arc::new)
}

#[retry(policy = P, idempotent)]
async fn boxed() -> Result<u32, Error<Box<E>>> {
    Ok(down(2).await?)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!((shared().await, boxed().await), (Ok(7), Ok(8)));
    assert_eq!(calls(), [1, 1, 2, 2]);
}
