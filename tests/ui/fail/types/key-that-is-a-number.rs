use kit::*;

#[retry(policy = P, idempotency_key = order)]
async fn charge(order: u64) -> Result<u32, E> {
    down(order as u32).await
}

fn main() {
    drop(charge(1));
}
