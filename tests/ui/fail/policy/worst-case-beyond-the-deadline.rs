use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

// 3 x 180 ms and waits of 50 and 100 ms.
const BAD: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(500));

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
