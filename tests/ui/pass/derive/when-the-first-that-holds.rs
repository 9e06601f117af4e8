#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Classify, Error};

#[derive(Debug, PartialEq, Classify)]
enum HttpError {
    #[classify(throttled, when = *_0 == 429)]
    #[classify(transient, when = matches!(_0, 408 | 425 | 500..))]
    #[classify(permanent, refused)]
    Status(u16),
    #[classify(transient, when = !*sent, not_sent)]
    #[classify(permanent)]
    Lost { sent: bool },
    #[classify(transient, when = cfg!(not(test)))]
    NoOtherClass,
}

#[retry(policy = P.max_attempts(4), idempotent)]
async fn get() -> Result<u32, Error<HttpError>> {
    down(1).await.map_err(|error| HttpError::Status(error.0))
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(HttpError::Lost { sent: false }.classify(), Class::TRANSIENT.not_sent());
    assert_eq!(HttpError::Lost { sent: true }.classify(), Class::PERMANENT);
    assert_eq!(HttpError::NoOtherClass.classify(), Class::TRANSIENT);
    script([Err(E(429)), Err(E(408)), Err(E(425)), Ok(7)]);
    assert_eq!((get().await, calls().len()), (Ok(7), 4));
    script([Err(E(503)), Err(E(404))]);
    assert_eq!((get().await.unwrap_err().attempts(), calls().len()), (2, 2));
}
