use kit::*;

struct Order {
    lines: Vec<u32>,
}

#[retry(policy = P, idempotent)]
async fn put(order: Order) -> Result<u32, E> {
    let sum = order.lines.into_iter().sum();
    down(sum).await
}

fn main() {
    drop(put(Order { lines: vec![] }));
}
