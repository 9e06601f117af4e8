#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone)]
struct Bucket {
    name: Arc<str>,
}

impl Bucket {
    #[retry(policy = P, idempotent)]
    async fn get_range(&self, path: &str, range: Range<usize>) -> Result<Vec<u8>, Error<E>> {
        down((self.name.len() + path.len()) as u32).await?;
        Ok(vec![0; range.len()])
    }

    /// Puts a whole object; the bytes are lent to each attempt and need no clone.
    #[retry(policy = P, idempotent)]
    async fn put(&self, path: &str, bytes: Vec<u8>) -> Result<(), Error<E>> {
        self.send(path, &bytes).await
    }

    async fn send(&self, path: &str, bytes: &[u8]) -> Result<(), E> {
        down((path.len() + bytes.len()) as u32).await.map(drop)
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let bucket = Bucket { name: "logs".into() };
    script([Err(E(500)), Ok(0), Err(E(500)), Ok(0)]);
    assert_eq!(bucket.get_range("a", 0..3).await.unwrap().len(), 3);
    assert_eq!(bucket.put("a", vec![0; 10]).await, Ok(()));
    assert_eq!(calls(), [5, 5, 11, 11]);
}
