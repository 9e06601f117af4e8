use kit::*;

#[retry(policy = P, idempotent, downstream = "payments")]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
