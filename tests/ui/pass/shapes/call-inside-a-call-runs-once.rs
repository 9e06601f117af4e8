#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn inner(id: u32) -> Result<u32, E> {
    down(id).await
}

#[retry(policy = P, idempotent)]
async fn outer(id: u32) -> Result<u32, E> {
    inner(id).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!(outer(4).await, Err(E(503)));
    assert_eq!(calls(), [4, 4, 4], "three attempts, not three times three");
}
