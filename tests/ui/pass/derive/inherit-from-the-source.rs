#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Error};

#[derive(Debug, thiserror::Error, Classify)]
enum LoadError {
    #[error("only field")]
    #[classify(inherit)]
    Down(E),
    #[error("marked `from`")]
    #[classify(inherit)]
    Io(#[from] std::io::Error),
    #[error("named `source`, in {file}")]
    #[classify(inherit)]
    File { file: String, source: std::io::Error },
}

#[retry(policy = P, idempotent)]
async fn load(missing: bool) -> Result<u32, Error<LoadError>> {
    let answer = down(1).await.map_err(LoadError::Down)?;
    if missing {
        Err(std::io::Error::from(std::io::ErrorKind::NotFound))?;
    }
    let source = std::io::ErrorKind::TimedOut.into();
    Err(LoadError::File { file: answer.to_string(), source })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(load(true).await.unwrap_err().attempts(), 2, "not found is permanent");
    script([Err(E(1)), Ok(7), Ok(7)]);
    assert_eq!((load(false).await.unwrap_err().attempts(), calls().len()), (3, 3));
}
