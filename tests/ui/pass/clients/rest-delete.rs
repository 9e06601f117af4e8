#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, retry};

struct Http;

impl Http {
    async fn delete(&self, path: &str) -> Result<(), E> {
        down(path.len() as u32).await.map(drop)
    }
}

/// Deletes a file; one that is gone already is as good as deleted.
#[retry(policy = P, idempotent)]
async fn delete(http: &Http, path: &str) -> Result<(), Error<E>> {
    match http.delete(path).await {
        Err(E(404 | 410)) => Ok(()),
        answer => answer,
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    // The first attempt was carried out, but its answer was lost.
    script([Err(E(504)), Err(E(404))]);
    assert_eq!(delete(&Http, "/a/b").await, Ok(()));
    assert_eq!(calls(), [4, 4]);
}
