use kit::*;
use retry_runtime::Policy;

#[retry(policy = policy, idempotent)]
async fn read(policy: Policy) -> Result<u32, E> {
    let _ = policy;
    down(1).await
}

fn main() {
    drop(read(P));
}
