#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn walk(depth: u32) -> Result<u32, E> {
    let here = down(depth).await?;
    if depth == 0 {
        return Ok(here);
    }
    Ok(here + Box::pin(walk(depth - 1)).await?)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    // The failure at the leaf goes to the owner, which is the outermost call.
    script([Ok(1), Ok(1), Err(E(1)), Ok(1), Ok(1), Ok(5)]);
    assert_eq!(walk(2).await, Ok(7));
    assert_eq!(calls(), [2, 1, 0, 2, 1, 0]);
}
