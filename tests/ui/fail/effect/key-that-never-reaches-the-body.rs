use kit::*;

struct Order {
    key: String,
    cents: u32,
}

#[retry(policy = P, idempotency_key = order.key)]
async fn charge(order: &Order, cents: u32) -> Result<u32, E> {
    down(cents).await
}

fn main() {
    let order = Order { key: "order-1".into(), cents: 250 };
    drop(charge(&order, order.cents));
}
