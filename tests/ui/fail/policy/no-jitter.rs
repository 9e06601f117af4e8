use kit::*;
use retry_runtime::{Jitter, Policy};

const BAD: Policy = P.jitter(Jitter::None);

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
