use kit::*;
use retry_runtime::{AdaptiveTimeout, Policy};
use std::time::Duration;

const BAD: Policy = Policy::once()
    .attempt_timeout(Duration::from_secs(1))
    .adaptive_timeout(AdaptiveTimeout::DEFAULT.factor(0.5))
    .deadline(Duration::from_secs(9));

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
