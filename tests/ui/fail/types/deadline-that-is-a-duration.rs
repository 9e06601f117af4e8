use kit::*;
use std::time::Duration;

#[retry(policy = P, idempotent, deadline = Duration::from_secs(1))]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
