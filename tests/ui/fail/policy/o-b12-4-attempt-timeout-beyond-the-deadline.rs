use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

const BAD: Policy = P.attempt_timeout(Duration::from_secs(30)).deadline(Duration::from_secs(5));

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
