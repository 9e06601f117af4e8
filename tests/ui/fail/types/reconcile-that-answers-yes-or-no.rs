use kit::*;
use retry_runtime::IdempotencyKey;

async fn find(_: &IdempotencyKey) -> Result<bool, E> {
    Ok(true)
}

#[retry(policy = P, idempotency_key = key, reconcile = find)]
async fn set(key: &str) -> Result<u32, E> {
    down(key.len() as u32).await
}

fn main() {
    drop(set("k"));
}
