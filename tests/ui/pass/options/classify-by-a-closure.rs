#![deny(warnings)]
use kit::*;
use retry_runtime::Class;

#[retry(
    policy = P,
    idempotent,
    classify = |error| if error.0 == status { Class::TRANSIENT } else { Class::PERMANENT }
)]
async fn read(status: u16) -> Result<u32, E> {
    down(u32::from(status)).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(503)), Err(E(404)), Ok(7)]);
    assert_eq!(read(503).await, Err(E(404)));
    assert_eq!(calls(), [503, 503]);
}
