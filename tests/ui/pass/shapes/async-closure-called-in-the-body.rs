#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn sum(ids: &[u32]) -> Result<u32, E> {
    let mut total = 0;
    let mut add = async |id: u32| {
        total += down(id).await?;
        Ok::<(), E>(())
    };
    for id in ids {
        add(*id).await?;
    }
    Ok(total)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Err(E(1)), Ok(3), Ok(4)]);
    assert_eq!(sum(&[8, 9]).await, Ok(7));
    assert_eq!(calls(), [8, 9, 8, 9]);
}
