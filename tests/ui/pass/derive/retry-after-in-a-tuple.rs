#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Error};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug, PartialEq, Classify)]
enum Busy {
    #[classify(throttled, retry_after = 0)]
    Always(Duration),
    #[classify(throttled, retry_after = 1)]
    Perhaps(u16, Option<Duration>),
    #[classify(transient, retry_after = _0)]
    ByItsName(Duration),
}

#[retry(policy = P, idempotent)]
async fn get() -> Result<u32, Error<Busy>> {
    down(1).await.map_err(|error| match error.0 {
        0 => Busy::Perhaps(503, None),
        1 => Busy::Perhaps(503, Some(Duration::from_secs(5))),
        2 => Busy::ByItsName(Duration::from_secs(7)),
        _ => Busy::Always(Duration::from_secs(11)),
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([Err(E(1)), Err(E(3)), Ok(7)]);
    assert_eq!((get().await, begin.elapsed()), (Ok(7), Duration::from_secs(16)));
    script([Err(E(2)), Err(E(0)), Ok(8)]);
    assert_eq!(get().await, Ok(8));
    assert!(begin.elapsed().saturating_sub(Duration::from_secs(23)) < Duration::from_millis(20));
}
