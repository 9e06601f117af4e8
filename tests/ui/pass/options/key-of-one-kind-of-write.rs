#![deny(warnings)]
use kit::*;
use retry_runtime::IdempotencyKey;

struct Order {
    id: u64,
    cents: u32,
}

#[retry(policy = P, idempotency_key = IdempotencyKey::of("charge", order.id))]
async fn charge(order: &Order) -> Result<u32, E> {
    assert_eq!(retry_runtime::idempotency_key().unwrap().as_str(), "charge:7");
    down(order.cents).await
}

#[retry(policy = P, idempotency_key = IdempotencyKey::of("refund", order.id))]
async fn refund(order: &Order) -> Result<u32, E> {
    assert_eq!(retry_runtime::idempotency_key().unwrap().as_str(), "refund:7");
    down(order.cents).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let order = Order { id: 7, cents: 250 };
    script([Err(E(1)), Ok(7), Ok(8)]);
    assert_eq!(charge(&order).await, Ok(7));
    assert_eq!(refund(&order).await, Ok(8));
    assert_eq!(calls(), [250, 250, 250]);
}
