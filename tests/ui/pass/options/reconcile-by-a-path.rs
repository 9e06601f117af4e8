#![deny(warnings)]
use kit::*;
use retry_runtime::{IdempotencyKey, Reconciled};

async fn find(key: &IdempotencyKey) -> Result<Reconciled<u32>, E> {
    Ok(Reconciled::Applied(down(key.as_str().len() as u32).await?))
}

#[retry(policy = P, idempotency_key = key, reconcile = find)]
async fn set(key: &str) -> Result<u32, E> {
    down(key.len() as u32 * 100).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_send(set("abc"));
    script([Err(E(1)), Ok(7)]);
    assert_eq!(set("abc").await, Ok(7));
    assert_eq!(calls(), [300, 3]);
}
