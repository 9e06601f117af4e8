use kit::*;

#[retry(policy = P, key = order)]
async fn charge(order: &str) -> Result<u32, E> {
    down(order.len() as u32).await
}

fn main() {
    drop(charge("order-1"));
}
