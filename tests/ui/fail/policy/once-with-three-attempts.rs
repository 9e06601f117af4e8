use kit::*;
use retry_runtime::Policy;

const BAD: Policy = P.max_attempts(3);

#[retry(policy = BAD, once)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
