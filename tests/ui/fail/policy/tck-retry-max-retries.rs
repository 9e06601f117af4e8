use kit::*;
use retry_runtime::Policy;

const BAD: Policy = P.max_attempts(-2);

#[retry(policy = BAD, idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
