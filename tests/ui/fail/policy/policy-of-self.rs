use kit::*;
use retry_runtime::Policy;

struct Client;

impl Client {
    const READS: Policy = P;

    #[retry(policy = Self::READS, idempotent)]
    async fn read(&self) -> Result<u32, E> {
        down(1).await
    }
}

fn main() {
    drop(Client.read());
}
