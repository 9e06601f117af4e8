use kit::{E, P, down};
use retry_runtime::retry;

#[allow(async_fn_in_trait)]
pub trait Store<K> {
    fn number(&self, key: K) -> u32;

    #[retry(policy = P, idempotent)]
    async fn get(&self, key: K) -> Result<u32, E>
    where
        K: Copy,
    {
        let number = self.number(key);
        down(number).await
    }
}
