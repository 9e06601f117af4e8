use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, E> {
    down(attempt).await
}

fn main() {
    drop(read());
}
