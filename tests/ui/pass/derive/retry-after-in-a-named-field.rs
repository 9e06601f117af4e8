#![deny(warnings)]
use kit::*;
use retry_runtime::{Classify, Error};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Debug, PartialEq, Classify)]
enum Busy {
    #[classify(throttled, retry_after = wait)]
    Always { wait: Duration, code: u16 },
    #[classify(throttled, refused, retry_after = wait)]
    Perhaps { wait: Option<Duration> },
}

#[retry(policy = P, idempotent)]
async fn get() -> Result<u32, Error<Busy>> {
    down(1).await.map_err(|E(code)| match code {
        0 => Busy::Perhaps { wait: None },
        1 => Busy::Perhaps { wait: Some(Duration::from_secs(5)) },
        _ => Busy::Always { wait: Duration::from_secs(7), code },
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let begin = Instant::now();
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!((get().await, begin.elapsed()), (Ok(7), Duration::from_secs(12)));
    script([Err(E(0)), Ok(8)]);
    assert_eq!((get().await, calls().len()), (Ok(8), 2));
}
