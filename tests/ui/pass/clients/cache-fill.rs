#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Error, retry};
use std::collections::HashMap;
use std::hash::Hash;
use tokio::sync::RwLock;

struct Cache<K, V> {
    entries: RwLock<HashMap<K, V>>,
}

impl<K: Clone + Eq + Hash, V: Clone> Cache<K, V> {
    #[retry(policy = P, idempotent)]
    async fn get_or<F, X>(&self, key: K, load: F) -> Result<V, Error<X>>
    where
        F: AsyncFn(&K) -> Result<V, X>,
        X: Classify,
    {
        if let Some(value) = self.entries.read().await.get(&key) {
            return Ok(value.clone());
        }
        let value = load(&key).await?;
        self.entries.write().await.insert(key.clone(), value.clone());
        Ok(value)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let cache = Cache { entries: RwLock::default() };
    let load = async |key: &&str| down(key.len() as u32).await;
    script([Err(E(503)), Ok(7)]);
    assert_eq!(cache.get_or("abc", load).await, Ok(7));
    assert_eq!(cache.get_or("abc", load).await, Ok(7));
    assert_eq!(calls(), [3, 3]);
}
