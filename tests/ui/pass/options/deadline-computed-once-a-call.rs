#![deny(warnings)]
use kit::*;
use std::cell::Cell;
use std::time::Duration;
use tokio::time::Instant;

thread_local!(static COMPUTED: Cell<u32> = const { Cell::new(0) });

fn soon() -> Instant {
    COMPUTED.set(COMPUTED.get() + 1);
    Instant::now() + Duration::from_secs(5)
}

#[retry(policy = P, idempotent, deadline = soon())]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(read().await, Ok(7));
    assert_eq!((COMPUTED.get(), calls()), (1, vec![1, 1, 1]));
}
