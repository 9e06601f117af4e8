use kit::*;
use retry_runtime::Policy;

const BAD: Policy = Policy::once();

#[retry(policy = BAD, once)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
