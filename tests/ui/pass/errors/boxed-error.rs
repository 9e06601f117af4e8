#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, classify};
use std::error::Error;

type BoxError = Box<dyn Error + Send + Sync>;

fn class(error: &BoxError) -> Class {
    classify::find::<E>(&**error).unwrap_or(Class::PERMANENT)
}

#[retry(policy = P, idempotent, classify = class)]
async fn read(text: &str) -> Result<u32, BoxError> {
    let id = text.parse::<u32>()?;
    Ok(down(id).await?)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_send(read("1"));
    script([Err(E(1)), Ok(7)]);
    assert_eq!(read("12").await.unwrap(), 7);
    assert!(read("x").await.unwrap_err().is::<std::num::ParseIntError>());
    assert_eq!(calls(), [12, 12]);
}
