use kit::*;

#[retry(once, policy = P, idempotent)]
async fn charge() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(charge());
}
