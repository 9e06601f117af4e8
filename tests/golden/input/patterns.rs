use kit::{E, P, down};
use retry_runtime::retry;

async fn send(text: String) -> Result<u32, E> {
    down(text.len() as u32).await
}

#[retry(policy = P, idempotent, clone(text))]
pub async fn patterns(mut n: u32, (a, mut b): (u32, u32), _: u8, text: String) -> Result<u32, E> {
    n += 1;
    b += a;
    Ok(n + b + send(text).await?)
}
