use kit::*;
use retry_runtime::{Jitter, Policy};
use std::time::Duration;

const BAD: Policy = Policy::fixed(Duration::from_secs(4))
    .jitter(Jitter::Equal)
    .deadline(Duration::from_secs(2))
    .cut_by_deadline();

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
