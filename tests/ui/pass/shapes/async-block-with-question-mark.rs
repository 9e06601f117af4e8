#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn both(id: u32) -> Result<u32, E> {
    let left = async {
        let answer = down(id).await?;
        Ok::<_, E>(answer + 1)
    };
    let right = async move { down(id * 10).await };
    Ok(left.await? + right.await?)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(1), Err(E(2)), Ok(1), Ok(5)]);
    assert_eq!(both(3).await, Ok(7));
    assert_eq!(calls(), [3, 3, 30, 3, 30]);
}
