#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Locks;

/// A lock with the number by which only its holder can release it.
struct Guard<'l> {
    locks: &'l Locks,
    fence: u32,
}

impl Locks {
    #[retry(policy = P, idempotency_key = owner)]
    async fn acquire(&self, owner: &str) -> Result<Guard<'_>, Error<E>> {
        let fence = down(owner.len() as u32).await?;
        Ok(Guard { locks: self, fence })
    }

    async fn delete(&self, fence: u32) -> Result<u32, E> {
        down(fence).await
    }
}

impl<'l> Guard<'l> {
    #[retry(policy = P, idempotent)]
    async fn release(self) -> Result<&'l Locks, Error<E>> {
        match self.locks.delete(self.fence).await {
            Ok(_) | Err(E(404)) => Ok(self.locks),
            Err(other) => Err(other),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(503)), Ok(34), Err(E(504)), Err(E(404))]);
    let guard = Locks.acquire("job-7").await.unwrap();
    assert!(guard.release().await.is_ok());
    assert_eq!(calls(), [5, 5, 34, 34]);
}
