#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, FromStopped};

trait Api {
    type Error: Classify + FromStopped + From<E>;
    const ID: u32;
}

struct Quotes;

impl Api for Quotes {
    type Error = E;
    const ID: u32 = 6;
}

#[retry(policy = P, idempotent)]
async fn ask<A: Api>() -> Result<u32, A::Error> {
    Ok(down(A::ID).await?)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(ask::<Quotes>().await, Ok(7));
    assert_eq!(calls(), [6, 6]);
}
