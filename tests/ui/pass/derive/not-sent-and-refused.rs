#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Error, Outcome};

#[derive(Debug, PartialEq, Classify)]
enum SendError {
    #[classify(transient, not_sent)]
    Connect,
    #[classify(transient, refused)]
    Draining,
    #[classify(transient)]
    Reset,
}

#[retry(policy = P, idempotency_key = "fixed-in-the-test")]
async fn send() -> Result<u32, Error<SendError>> {
    let key = retry_runtime::idempotency_key().unwrap();
    down(key.as_str().len() as u32).await.map_err(|error| match error.0 {
        0 => SendError::Connect,
        1 => SendError::Draining,
        _ => SendError::Reset,
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(0)), Err(E(1)), Err(E(0))]);
    assert_eq!(send().await.unwrap_err().outcome(), Outcome::NotApplied);
    script([Err(E(2)), Err(E(1)), Err(E(0))]);
    assert_eq!(send().await.unwrap_err().outcome(), Outcome::Unknown);
    assert_eq!(calls().len(), 3);
}
