use kit::{E, P, down};
use retry_runtime::{Class, retry};
use std::error::Error;

type BoxError = Box<dyn Error + Send + Sync>;

fn class(error: &BoxError) -> Class {
    if error.is::<E>() { Class::TRANSIENT } else { Class::PERMANENT }
}

#[retry(policy = P, idempotent, classify = class)]
pub async fn parsed(text: &str) -> Result<Box<dyn Fn(u32) -> u32 + Send>, BoxError> {
    let number: u32 = text.parse()?;
    let base = down(number).await?;
    Ok(Box::new(move |x| x + base))
}
