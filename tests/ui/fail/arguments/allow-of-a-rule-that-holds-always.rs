use kit::*;

#[retry(policy = P, idempotent, allow(no_deadline = "it is fast"))]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
