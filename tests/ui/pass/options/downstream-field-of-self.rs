#![deny(warnings)]
use kit::*;
use retry_runtime::{Budget, Downstream};

struct Client {
    downstream: Downstream,
    id: u32,
}

impl Client {
    #[retry(policy = P, idempotent, downstream = self.downstream)]
    async fn read(&self) -> Result<u32, E> {
        down(self.id).await
    }

    #[retry(policy = P, idempotent, downstream = &self.downstream)]
    async fn read_again(&self) -> Result<u32, E> {
        down(self.id).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let client = Client { downstream: Downstream::new("db").budget(Budget::ratio(0.5)), id: 4 };
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(client.read().await, Err(E(1)));
    assert_eq!(client.read_again().await, Ok(7));
    assert_eq!(calls(), [4, 4, 4]);
}
