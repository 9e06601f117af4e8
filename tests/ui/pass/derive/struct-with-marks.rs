#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Classify, Error};
use std::time::Duration;

#[derive(Debug, PartialEq, Classify)]
#[classify(throttled, retry_after = wait, when = *status == 429)]
#[classify(transient, when = *status >= 500)]
#[classify(permanent)]
struct HttpError {
    status: u16,
    wait: Option<Duration>,
}

#[derive(Debug, PartialEq, Classify)]
#[classify(inherit)]
struct Wrapped(HttpError);

#[derive(Debug, PartialEq, Classify)]
#[classify(transient, not_sent)]
struct Offline;

#[retry(policy = P, idempotent)]
async fn get() -> Result<u32, Error<Wrapped>> {
    down(1).await.map_err(|error| Wrapped(HttpError { status: error.0, wait: None }))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(Offline.classify(), Class::TRANSIENT.not_sent());
    script([Err(E(429)), Err(E(503)), Ok(7)]);
    assert_eq!((get().await, calls().len()), (Ok(7), 3));
    script([Err(E(400))]);
    assert_eq!((get().await.unwrap_err().attempts(), calls().len()), (1, 1));
}
