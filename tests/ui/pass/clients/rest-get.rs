#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Classify, Error, Policy, retry};
use std::time::Duration;

const READS: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));

#[derive(Debug, PartialEq, thiserror::Error, Classify)]
enum ApiError {
    #[error("status {0}")]
    #[classify(transient, when = *_0 >= 500)]
    #[classify(permanent, refused)]
    Status(u16),
}

struct Api {
    base: String,
}

impl Api {
    async fn fetch(&self, url: &str) -> Result<u32, ApiError> {
        down(url.len() as u32).await.map_err(|E(status)| ApiError::Status(status))
    }

    #[retry(policy = READS, idempotent)]
    async fn user(&self, id: u64) -> Result<u32, Error<ApiError>> {
        self.fetch(&format!("{}/users/{id}", self.base)).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let api = Api { base: "https://api.example".into() };
    script([Err(E(503)), Ok(41), Err(E(404))]);
    assert_eq!(api.user(7).await, Ok(41));
    assert_eq!(api.user(8).await.unwrap_err().last(), Some(&ApiError::Status(404)));
    assert_eq!(calls(), [27, 27, 27]);
}
