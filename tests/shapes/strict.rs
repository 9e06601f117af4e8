//! O-A11: a client in a crate that documents everything.

#![warn(missing_docs, clippy::missing_errors_doc)]

use kit::{E, down};

/// Client.
#[derive(Debug)]
pub struct Client;

impl Client {
    /// Saves.
    ///
    /// # Errors
    /// Downstream failed.
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    pub async fn save(&mut self, _tag: &str) -> Result<(), E> {
        down(1).await?;
        Ok(())
    }

    /// Pings.
    ///
    /// # Errors
    /// Downstream failed.
    #[cfg_attr(feature = "retried", kit::retry(policy = kit::P, idempotent))]
    #[rustfmt::skip]
    pub async fn ping(&self) -> Result<u32, E> { down(2).await }
}
