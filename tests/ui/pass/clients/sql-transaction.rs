#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Class, Classify, Error, Policy, retry};
use std::time::Duration;

// A lost optimistic race: the next attempt reads the new state, so no wait is needed.
const RACE: Policy = Policy::immediate().deadline(Duration::from_secs(2));

#[derive(Debug, PartialEq)]
struct Serialization;

impl Classify for Serialization {
    fn classify(&self) -> Class {
        Class::TRANSIENT.refused()
    }
}

struct Transaction<'p>(&'p Pool);
struct Pool;

impl Pool {
    async fn begin(&self) -> Result<Transaction<'_>, Serialization> {
        Ok(Transaction(self))
    }
}

impl Transaction<'_> {
    async fn add(&mut self, account: u32) -> Result<u32, Serialization> {
        down(account).await.map_err(|E(_)| Serialization)
    }

    async fn commit(self) -> Result<(), Serialization> {
        let Self(Pool) = self;
        down(0).await.map(drop).map_err(|E(_)| Serialization)
    }
}

#[retry(policy = RACE, idempotent = "all or nothing: an aborted transaction has changed nothing")]
async fn transfer(pool: &Pool, from: u32, to: u32) -> Result<u32, Error<Serialization>> {
    let mut transaction = pool.begin().await?;
    let left = transaction.add(from).await?;
    transaction.add(to).await?;
    transaction.commit().await?;
    Ok(left)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Ok(50), Ok(70), Err(E(40)), Ok(45), Ok(75), Ok(0)]);
    assert_eq!(transfer(&Pool, 1, 2).await, Ok(45));
    assert_eq!(calls(), [1, 2, 0, 1, 2, 0]);
}
