use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

const BAD: Policy = Policy::fixed(Duration::ZERO).max_attempts(0).multiplier(0.0);

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
