#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn first_even(ids: &[u32]) -> Result<Option<u32>, E> {
    for id in ids {
        let answer = down(*id).await?;
        if answer % 2 == 0 {
            return Ok(Some(answer));
        }
        if answer > 100 {
            return Err(E(500));
        }
    }
    Ok(None)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Ok(101), Ok(1), Ok(4)]);
    assert_eq!(first_even(&[7, 8, 9]).await, Ok(Some(4)));
    assert_eq!(calls(), [7, 8, 7, 8]);
}
