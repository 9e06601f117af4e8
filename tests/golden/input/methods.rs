use kit::{E, P, down};
use retry_runtime::retry;
use std::sync::Arc;

pub struct Conn {
    pub id: u32,
    pub hits: u32,
    pub name: String,
}

impl Conn {
    #[retry(policy = P, idempotent)]
    pub async fn name(&self) -> Result<&str, E> {
        down(self.id).await?;
        Ok(&self.name)
    }

    #[retry(policy = P, idempotent)]
    pub async fn hit(&mut self) -> Result<u32, E> {
        self.hits += 1;
        down(self.hits).await
    }

    #[retry(policy = P, idempotent)]
    pub async fn shared(self: Arc<Self>) -> Result<u32, E> {
        down(self.id).await
    }
}
