#![deny(warnings)]
use kit::*;
use tokio::sync::Mutex;

struct Pool {
    ids: Mutex<Vec<u32>>,
}

impl Pool {
    #[retry(policy = P, idempotent)]
    async fn take(&self) -> Result<u32, E> {
        down(self.ids.lock().await.pop().unwrap_or_default()).await
    }

    #[retry(policy = P, idempotent)]
    async fn first(&self) -> Result<u32, E> {
        match self.ids.lock().await.first() {
            Some(id) => down(*id).await,
            None => Err(E(404)),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let pool = Pool { ids: Mutex::new(vec![1, 2, 3]) };
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8)]);
    assert_eq!(pool.take().await, Ok(7));
    assert_eq!(pool.first().await, Ok(8));
    assert_eq!(calls(), [3, 2, 1, 1]);
}
