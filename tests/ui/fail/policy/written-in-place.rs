use kit::*;
use std::time::Duration;

#[retry(policy = P.deadline(Duration::from_millis(1)).max_attempts(9), idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
