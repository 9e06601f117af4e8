use kit::*;
use tokio::task::spawn_blocking;

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, E> {
    let answer = spawn_blocking(|| 7).await.map_err(|_| E(500))?;
    down(answer).await
}

fn main() {
    drop(read());
}
