use kit::*;

#[retry(crate = "retry_runtime", policy = P, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
