#![deny(warnings)]
use kit::*;
use retry_runtime::Policy;
use std::time::Duration;

struct Client;

impl Client {
    const READS: Policy =
        Policy::fixed(Duration::from_millis(5)).max_attempts(2).deadline(Duration::from_secs(1));

    #[retry(policy = Client::READS, idempotent)]
    async fn read(&self) -> Result<u32, E> {
        down(1).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([]);
    assert_eq!(Client.read().await, Err(E(503)));
    assert_eq!(calls(), [1, 1]);
}
