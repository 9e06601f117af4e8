#![deny(warnings)]
use kit::*;
use retry_runtime::Class;
use std::io;

#[retry(policy = P, idempotent, classify = |_: &io::Error| Class::TRANSIENT)]
pub async fn c() -> std::io::Result<u32> {
    down(3).await.map_err(std::io::Error::other)
}

#[retry(policy = P, idempotent)]
pub async fn e() -> ::core::result::Result<u32, E> {
    down(5).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!(c().await.unwrap(), 7);
    assert_eq!(e().await, Ok(8));
    assert_eq!(calls(), [3, 3, 5, 5]);
}
