#![deny(warnings)]
use kit::*;
use retry_runtime::{Class, Downstream, Jitter};
use std::time::Duration;
use tokio::time::Instant;

static PAYMENTS: Downstream = Downstream::new("payments");

#[retry(
    clone(body),
    classify = |_: &E| Class::TRANSIENT,
    deadline = begin + Duration::from_secs(5),
    allow(no_jitter = "a single caller"),
    idempotency_key = key,
    downstream = PAYMENTS,
    policy = P.jitter(Jitter::None),
    crate = ::retry_runtime,
)]
async fn charge(key: &str, begin: Instant, body: String) -> Result<u32, retry_runtime::Error<E>> {
    down((key.len() + body.into_bytes().len()) as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(charge("k-1", Instant::now(), "body".into()).await, Ok(7));
    assert_eq!(calls(), [7, 7]);
}
