use kit::*;

#[retry(policy = P, idempotent, allow)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
