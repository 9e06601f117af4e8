use kit::*;
use retry_runtime::Policy;

const BAD: Policy = P;

#[retry(policy = BAD, idempotent, allow(no_jitter = "a single caller"))]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
