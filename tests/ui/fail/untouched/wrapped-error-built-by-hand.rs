use kit::*;
use retry_runtime::Error;

#[retry(policy = P, idempotent)]
async fn inner() -> Result<u32, Error<E>> {
    down(1).await
}

// The body yields the plain error; the wrapper is the loop's.
#[retry(policy = P, idempotent)]
async fn outer() -> Result<u32, Error<E>> {
    inner().await
}

fn main() {
    drop(outer());
}
