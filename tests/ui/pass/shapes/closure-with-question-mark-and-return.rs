#![deny(warnings)]
use kit::*;

#[retry(policy = P, idempotent)]
async fn parsed(text: &str) -> Result<u32, E> {
    let number = |text: &str| -> Result<u32, E> {
        if text.is_empty() {
            return Err(E(400));
        }
        let number: u32 = text.parse().map_err(|_| E(422))?;
        Ok(number)
    };
    down(number(text)?).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(parsed("12").await, Ok(7));
    assert_eq!(parsed("x").await, Err(E(422)));
    assert_eq!(calls(), [12, 12]);
}
