#![deny(warnings)]
use kit::*;
use std::sync::Arc;

struct Client {
    base: u32,
}

impl Client {
    #[retry(policy = P, idempotent)]
    async fn get(&self, path: String) -> Result<String, E> {
        let status = down(self.base + path.len() as u32).await?;
        Ok(format!("{path}: {status}"))
    }

    #[retry(policy = P, idempotent)]
    async fn shared(self: &Arc<Self>) -> Result<usize, E> {
        down(self.base).await?;
        Ok(Arc::strong_count(self))
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let client = Arc::new(Client { base: 10 });
    script([Err(E(1)), Ok(200), Err(E(2)), Ok(0)]);
    assert_eq!(client.get("/a".into()).await.unwrap(), "/a: 200");
    assert_eq!(client.shared().await, Ok(1));
    assert_eq!(calls(), [12, 12, 10, 10]);
}
