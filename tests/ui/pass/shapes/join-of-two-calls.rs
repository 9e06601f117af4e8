#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn pair(a: u32, b: u32) -> Result<(u32, u32), E> {
    tokio::try_join!(down(a), async {
        let answer = down(b).await?;
        Ok(answer + 1)
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Err(E(1)), Ok(3), Ok(4)]);
    assert_eq!(pair(8, 9).await, Ok((3, 5)));
    assert_eq!(calls(), [8, 9, 8, 9]);
}
