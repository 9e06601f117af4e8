use kit::*;

#[retry(policy(attempts = 3, base = "50ms"), idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
