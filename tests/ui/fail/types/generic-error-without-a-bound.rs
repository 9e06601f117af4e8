use kit::*;
use retry_runtime::Error;

#[retry(policy = P, idempotent)]
async fn read<X: From<E>>() -> Result<u32, Error<X>> {
    Ok(down(1).await?)
}

fn main() {
    drop(read::<E>());
}
