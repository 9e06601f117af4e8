#![deny(warnings)]
use kit::*;
use std::sync::Arc;

pub struct Conn {
    pub id: u32,
    pub buf: String,
}

impl Conn {
    #[retry(policy = P, idempotent)]
    pub async fn peek(&self) -> Result<&str, E> {
        down(self.id).await?;
        Ok(&self.buf)
    }

    #[retry(policy = P, idempotent)]
    pub async fn via(self: Arc<Self>) -> Result<u32, E> {
        down(self.id).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let conn = Arc::new(Conn { id: 6, buf: "text".into() });
    script([Err(E(1)), Ok(0), Err(E(1)), Ok(8)]);
    assert_eq!(conn.peek().await, Ok("text"));
    assert_eq!(conn.via().await, Ok(8));
    assert_eq!(calls(), [6, 6, 6, 6]);
}
