#![deny(warnings)]
use kit::*;
use retry_runtime::{Budget, Downstream};

// No reserve: two calls have to fail before one retry is earned.
static QUOTES: Downstream = Downstream::new("quotes").budget(Budget::ratio(0.5));

#[retry(policy = P, idempotent, downstream = QUOTES)]
async fn quote(id: u32) -> Result<u32, E> {
    down(id).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!(quote(1).await, Err(E(503)));
    assert_eq!(quote(2).await, Err(E(503)));
    assert_eq!(calls(), [1, 2, 2]);
    assert_eq!(QUOTES.retry_tokens(), 0.0);
}
