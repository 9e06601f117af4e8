#![deny(warnings)]
use kit::*;

pub struct Bank;

impl Bank {
    #[retry(policy = P, idempotency_key = order)]
    pub async fn charge(&self, order: &str, cents: u64) -> Result<u32, E> {
        assert_eq!(retry_runtime::idempotency_key().unwrap().as_str(), order);
        down(cents as u32).await
    }

    #[retry(policy = P, idempotent)]
    pub async fn balance(&self) -> Result<u32, E> {
        down(0).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(3), Err(E(1)), Ok(4)]);
    assert_eq!(Bank.charge("order-1", 250).await, Ok(3));
    assert_eq!(Bank.balance().await, Ok(4));
    assert_eq!(calls(), [250, 250, 0, 0]);
}
