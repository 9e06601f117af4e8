#![deny(warnings)]
use kit::*;
use std::fmt::Display;

struct Client<T> {
    transport: T,
}

impl<T: Fn(u32) -> u32> Client<T> {
    #[retry(policy = P, idempotent)]
    async fn get<K>(&self, key: K) -> Result<(u32, K), E>
    where
        K: Display + Clone,
    {
        let answer = down((self.transport)(key.to_string().len() as u32)).await?;
        Ok((answer, key.clone()))
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(7)]);
    let client = Client { transport: |n| n + 100 };
    assert_eq!(client.get("abc").await, Ok((7, "abc")));
    assert_eq!(calls(), [103, 103]);
}
