#![deny(warnings, unused_qualifications, elided_lifetimes_in_paths, unreachable_pub, missing_docs)]
#![deny(unused_lifetimes, unused_results, single_use_lifetimes, let_underscore_drop)]
//! Strict crate.
use kit::{E, calls, down, retry, script};

/// Client.
#[derive(Debug)]
pub struct Client;

impl Client {
    /// Saves.
    #[retry(policy = kit::P, idempotent)]
    pub async fn save(&mut self, _tag: &str) -> Result<(), E> {
        let _answer = down(1).await?;
        Ok(())
    }
    /// Pings.
    #[retry(policy = kit::P, idempotent)]
    pub async fn ping(&self) -> Result<u32, E> { down(2).await }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(0), Err(E(1)), Ok(8)]);
    assert_eq!(Client.save("x").await, Ok(()));
    assert_eq!(Client.ping().await, Ok(8));
    assert_eq!(calls(), [1, 1, 2, 2]);
}
