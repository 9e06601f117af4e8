use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

const BAD: Policy = Policy::immediate().max_attempts(3).deadline(Duration::from_secs(1));

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
