#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Stopped};
use std::error::Error;

#[retry(policy = P, idempotent, classify = |_: &Box<dyn Error>| Class::TRANSIENT)]
async fn read() -> Result<u32, Box<dyn Error>> {
    Ok(down(1).await?)
}

#[retry(policy = P, idempotent, classify = |_: &Box<dyn Error + Send>| Class::TRANSIENT)]
async fn hang() -> Result<u32, Box<dyn Error + Send>> {
    std::future::pending().await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!(*read().await.unwrap_err().downcast::<E>().unwrap(), E(503));
    assert!(hang().await.unwrap_err().is::<Stopped>());
    assert_eq!(calls(), [1, 1, 1]);
}
