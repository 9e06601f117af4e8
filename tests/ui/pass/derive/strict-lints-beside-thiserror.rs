#![deny(warnings, missing_docs, missing_debug_implementations, unused_qualifications)]
//! The derive beside thiserror's, under strict lints.
use kit::*;
use retry_runtime::{Classify, Error, Stopped};

/// What can go wrong.
#[derive(Debug, thiserror::Error, Classify)]
#[non_exhaustive]
pub enum PayError {
    /// Declined, with nothing to learn.
    #[error("declined: {code}, {0}", code = .0.len())]
    #[classify(permanent, refused)]
    Declined(String),
    /// A name that is also a macro's.
    #[error("a field that is a keyword")]
    #[classify(transient, when = *r#type > 1)]
    #[classify(permanent)]
    Raw {
        /// The kind.
        r#type: u16,
    },
    /// The call was stopped.
    #[error(transparent)]
    #[classify(stopped)]
    Stopped(#[from] Stopped),
}

/// What cannot happen.
#[derive(Debug, Classify)]
pub enum Never {}

#[retry(policy = P, idempotent)]
async fn pay() -> Result<u32, Error<PayError>> {
    down(1).await.map_err(|error| PayError::Raw { r#type: error.0 })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(2)), Err(E(1)), Ok(7)]);
    assert_eq!((pay().await.unwrap_err().attempts(), calls().len()), (2, 2));
}
