#![deny(warnings)]
use kit::*;
use std::pin::Pin;

struct Job {
    id: u32,
}

impl Job {
    #[retry(policy = P, idempotent)]
    async fn run(self: Box<Self>) -> Result<u32, E> {
        down(self.id).await
    }

    #[retry(policy = P, idempotent)]
    async fn peek(self: Pin<&Self>) -> Result<u32, E> {
        down(self.get_ref().id + 1).await
    }

    #[retry(policy = P, idempotent)]
    async fn bump(self: Pin<&mut Self>) -> Result<u32, E> {
        down(self.id + 2).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mut job = Box::new(Job { id: 3 });
    script([Err(E(1)), Ok(7), Err(E(1)), Ok(8), Err(E(1)), Ok(9)]);
    assert_eq!(Pin::new(&*job).peek().await, Ok(7));
    assert_eq!(Pin::new(&mut *job).bump().await, Ok(8));
    assert_eq!(job.run().await, Ok(9));
    assert_eq!(calls(), [4, 4, 5, 5, 3, 3]);
}
