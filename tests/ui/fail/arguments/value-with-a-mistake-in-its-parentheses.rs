use kit::*;

#[retry(policy = P.max_attempts(2 +), idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
