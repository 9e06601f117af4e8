#![deny(warnings)]
use kit::*;

async fn outside(id: u32) -> Result<u32, E> {
    #[retry(policy = P, idempotent)]
    async fn inside(id: u32) -> Result<u32, E> {
        down(id).await
    }
    inside(id).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(outside(2).await, Ok(7));
    assert_eq!(calls(), [2, 2]);
}
