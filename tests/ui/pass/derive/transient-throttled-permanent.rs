#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Classify, Error};

#[derive(Debug, PartialEq, Classify)]
enum HttpError {
    #[classify(transient)]
    Unavailable,
    #[classify(throttled)]
    TooManyRequests,
    #[classify(permanent)]
    NotFound { path: &'static str },
}

#[retry(policy = P, idempotent)]
async fn get(path: &'static str) -> Result<u32, Error<HttpError>> {
    down(1).await.map_err(|error| match error.0 {
        404 => HttpError::NotFound { path },
        429 => HttpError::TooManyRequests,
        _ => HttpError::Unavailable,
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_eq!(HttpError::TooManyRequests.classify(), Class::THROTTLED);
    script([Err(E(503)), Err(E(404)), Ok(7)]);
    assert_eq!(get("/a").await.unwrap_err().into_last(), Some(HttpError::NotFound { path: "/a" }));
    script([Err(E(429)), Err(E(503)), Ok(7)]);
    assert_eq!((get("/a").await, calls().len()), (Ok(7), 3));
}
