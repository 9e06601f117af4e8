#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Stopped};

#[derive(Debug, Classify)]
enum ReadError {
    #[classify(transient)]
    Status(u16),
    #[classify(stopped)]
    Stopped(Stopped),
}

#[retry(policy = P, idempotent)]
async fn read() -> Result<u32, ReadError> {
    match down(1).await {
        Err(E(0)) => std::future::pending().await,
        answer => answer.map_err(|error| ReadError::Status(error.0)),
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Err(E(3))]);
    assert!(matches!(read().await, Err(ReadError::Status(3))));
    assert_eq!(calls(), [1, 1, 1]);
    script([Err(E(0))]);
    let Err(ReadError::Stopped(stopped)) = read().await else { panic!("a stop has no status") };
    assert_eq!((stopped.attempts(), calls()), (1, vec![1]));
}
