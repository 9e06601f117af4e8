use kit::*;
use retry_runtime::Policy;

fn from_environment() -> Policy {
    P
}

#[retry(policy = from_environment(), idempotent)]
async fn read() -> Result<u32, E> {
    down(1).await
}

fn main() {
    drop(read());
}
