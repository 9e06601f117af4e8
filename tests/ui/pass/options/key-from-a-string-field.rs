#![deny(warnings)]
use kit::*;

struct Order {
    key: String,
    cents: u32,
}

#[retry(policy = P, idempotency_key = order.key)]
async fn charge(order: &Order) -> Result<u32, E> {
    assert_eq!(retry_runtime::idempotency_key().unwrap().as_str(), order.key);
    down(order.cents).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(charge(&Order { key: "order-7".into(), cents: 250 }).await, Ok(7));
    assert_eq!(calls(), [250, 250, 250]);
}
