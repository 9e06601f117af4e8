use kit::*;
use retry_runtime::{IdempotencyKey, Reconciled};

async fn find(_: &IdempotencyKey) -> Result<Reconciled<u32>, E> {
    Ok(Reconciled::Unknown)
}

#[retry(policy = P, idempotent, reconcile = find)]
async fn set() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop((set(), find));
}
