use kit::*;
use retry_runtime::{AdaptiveTimeout, Policy};
use std::time::Duration;

const BAD: Policy =
    Policy::once().adaptive_timeout(AdaptiveTimeout::DEFAULT).deadline(Duration::from_secs(9));

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
