use kit::*;

#[retry(policy = P, idempotent, deadline = 5 +)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
