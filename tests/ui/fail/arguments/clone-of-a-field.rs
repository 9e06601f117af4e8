use kit::*;

#[retry(policy = P, idempotent, clone(order.lines))]
async fn put(order: (Vec<u8>, u32)) -> Result<u32, E> {
    down(order.1).await
}

fn main() {
    drop(put((vec![], 1)));
}
