#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn batch<const N: usize>(ids: [u32; N]) -> Result<[u32; N], E> {
    let mut answers = [0; N];
    for (id, answer) in ids.iter().zip(&mut answers) {
        *answer = down(*id).await?;
    }
    Ok(answers)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(1), Err(E(1)), Ok(3), Ok(4)]);
    assert_eq!(batch([8, 9]).await, Ok([3, 4]));
    assert_eq!(calls(), [8, 9, 8, 9]);
}
