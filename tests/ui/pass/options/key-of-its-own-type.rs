#![deny(warnings)]
use kit::*;
use retry_runtime::IdempotencyKey;

#[retry(policy = P, idempotency_key = key, clone(key))]
async fn charge(key: IdempotencyKey) -> Result<IdempotencyKey, E> {
    down(key.as_str().len() as u32).await?;
    Ok(key)
}

#[retry(policy = P, idempotency_key = key)]
async fn refund(key: &IdempotencyKey) -> Result<u32, E> {
    down(key.as_ref().len() as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let key = IdempotencyKey::new("order-7").unwrap();
    script([Err(E(1)), Ok(0), Err(E(1)), Ok(7)]);
    assert_eq!(charge(key.clone()).await, Ok(key.clone()));
    assert_eq!(refund(&key).await, Ok(7));
    assert_eq!(calls(), [7, 7, 7, 7]);
}
