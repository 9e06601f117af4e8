#![deny(warnings)]
use kit::*;
use retry_runtime::{Error, Reason, idempotency_key};

#[retry(policy = P, idempotency_key = key)]
async fn charge(key: &str) -> Result<String, Error<E>> {
    assert_eq!(idempotency_key().map(|sent| sent.to_string()), Some(key.to_owned()));
    down(1).await?;
    Ok(key.to_uppercase())
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(charge("order-7").await.unwrap(), "ORDER-7");
    assert_eq!(charge("").await.unwrap_err().reason(), Reason::InvalidKey);
    assert_eq!(calls(), [1, 1], "nothing is sent under an empty key");
}
