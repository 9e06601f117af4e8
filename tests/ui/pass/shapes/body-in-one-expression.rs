#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn is_open(gate: u32) -> Result<bool, E> { if down(gate).await? > 0 { Ok(true) } else { Ok(false) } }

#[retry(policy = P, idempotent)]
async fn ready() -> Result<u32, E> { Ok(7) }

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(1)]);
    assert_eq!(is_open(3).await, Ok(true));
    assert_eq!(ready().await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}
