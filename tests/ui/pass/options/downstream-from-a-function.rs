#![deny(warnings)]
use kit::*;
use retry_runtime::{Budget, Downstream};
use std::cell::Cell;
use std::sync::Arc;

thread_local!(static ASKED: Cell<u32> = const { Cell::new(0) });

fn of_host(name: &'static str) -> Arc<Downstream> {
    ASKED.set(ASKED.get() + 1);
    Arc::new(Downstream::new(name).budget(Budget::ratio(1.0).per_second(5)))
}

// The temporary lives as long as the call, and is made once.
#[retry(policy = P, idempotent, downstream = of_host("eu-1"))]
async fn read() -> Result<u32, E> {
    down(1).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    assert_send(read());
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(read().await, Ok(7));
    assert_eq!((ASKED.get(), calls()), (1, vec![1, 1, 1]));
}
