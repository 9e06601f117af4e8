#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn through<F>(send: F, id: u32) -> Result<u32, E>
where
    F: AsyncFn(u32) -> Result<u32, E>,
{
    send(id).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(through(async |id| down(id + 1).await, 4).await, Ok(7));
    assert_eq!(calls(), [5, 5, 5]);
}
