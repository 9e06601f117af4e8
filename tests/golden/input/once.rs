use kit::{E, down};
use retry_runtime::{Error, Policy, retry};
use std::time::Duration;

const ONCE: Policy = Policy::once().deadline(Duration::from_secs(1));

#[retry(policy = ONCE, once)]
pub async fn send(sms: u32) -> Result<(), Error<E>> {
    down(sms).await?;
    Ok(())
}
