#![deny(warnings)]
use kit::*;
use retry_runtime::{Budget, Downstream};

static BANK: Downstream = Downstream::new("bank").budget(Budget::ratio(0.5));

#[retry(policy = P, idempotent, downstream = BANK)]
async fn balance() -> Result<u32, E> {
    down(1).await
}

#[retry(policy = P, idempotency_key = key, downstream = BANK)]
async fn charge(key: &str) -> Result<u32, E> {
    down(key.len() as u32).await
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(0), Err(E(1)), Ok(7)]);
    assert_eq!(balance().await, Ok(0));
    assert_eq!(charge("k-1").await, Ok(7), "the read has paid half of this retry");
    assert_eq!(calls(), [1, 3, 3]);
}
