#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Stopped};

#[derive(Debug, thiserror::Error, Classify)]
enum ReadError {
    #[error("downstream")]
    #[classify(inherit)]
    Down(#[from] E),
    #[error("text")]
    #[classify(permanent)]
    Text(#[from] std::num::ParseIntError),
    #[error("stopped")]
    #[classify(stopped)]
    Stopped(Stopped),
}

#[retry(policy = P, idempotent)]
async fn read(text: &str) -> Result<u32, ReadError> {
    Ok(down(text.parse()?).await?)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(read("12").await.unwrap(), 7);
    assert!(matches!(read("x").await, Err(ReadError::Text(_))));
    assert_eq!(calls(), [12, 12]);
}
