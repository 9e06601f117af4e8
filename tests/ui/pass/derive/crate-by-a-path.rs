#![deny(warnings)]
use kit::{E, P, calls, down, script};

mod facade {
    pub use retry_runtime as rr;
}
use facade::rr::{self, Stopped};

#[derive(Debug, rr::Classify)]
#[classify(crate = facade::rr)]
enum ReadError {
    #[classify(transient)]
    Down,
    #[classify(stopped)]
    Stopped(Stopped),
}

#[rr::retry(crate = facade::rr, policy = P, idempotent)]
async fn read() -> Result<u32, ReadError> {
    down(1).await.map_err(|_| ReadError::Down)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    assert_eq!(read().await.unwrap(), 7);
    assert_eq!(calls(), [1, 1]);
}
