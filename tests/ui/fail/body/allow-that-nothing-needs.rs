use kit::*;

#[retry(policy = P, idempotent, allow(spawn_in_body = "it ends by itself"))]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
