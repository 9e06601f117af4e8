use kit::*;

#[retry(policy = P, idempotency_key = "")]
async fn charge() -> Result<u32, E> {
    down(retry_runtime::idempotency_key().iter().count() as u32).await
}

fn main() {
    drop(charge());
}
