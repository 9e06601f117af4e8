use kit::*;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, E> {
    let task = tokio::spawn(down(1));
    task.await.unwrap_or(Err(E(500)))
}

fn main() {
    drop(read());
}
