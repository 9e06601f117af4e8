#![deny(warnings)]
use kit::*;
use std::cell::Cell;

thread_local!(static MADE: Cell<u32> = const { Cell::new(0) });

fn next_key() -> String {
    MADE.set(MADE.get() + 1);
    format!("k{}", MADE.get())
}

#[retry(policy = P, idempotency_key = next_key())]
async fn charge() -> Result<u32, E> {
    let key = retry_runtime::idempotency_key().unwrap();
    down(key.as_str()[1..].parse().unwrap()).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Err(E(2)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!((charge().await, charge().await), (Ok(7), Ok(8)));
    assert_eq!((MADE.get(), calls()), (2, vec![1, 1, 1, 2, 2]));
}
