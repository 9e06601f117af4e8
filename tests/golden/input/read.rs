use kit::{E, P, down};
use retry_runtime::{Error, retry};

#[retry(policy = P, idempotent)]
pub async fn read(id: u32) -> Result<u32, Error<E>> {
    let first = down(id).await?;
    let second = down(first).await?;
    Ok(first + second)
}
