use kit::{E, P, down};
use retry_runtime::retry;

#[retry(policy = P, idempotent)]
pub async fn numbers(from: impl Into<u32> + Copy) -> Result<impl Iterator<Item = u32>, E> {
    let from = from.into();
    let count = down(from).await?;
    Ok((0..count).map(move |n| n + from))
}
