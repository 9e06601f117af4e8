use kit::*;

struct Order {
    key: Option<String>,
}

#[retry(policy = P, idempotency_key = order.key)]
async fn charge(order: &Order) -> Result<u32, E> {
    down(order.key.iter().count() as u32).await
}

fn main() {
    drop(charge(&Order { key: None }));
}
