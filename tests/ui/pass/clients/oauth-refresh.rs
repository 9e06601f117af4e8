#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Error, retry};
use std::fmt;

struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[derive(Debug, thiserror::Error, Classify)]
enum AuthError {
    #[error("the refresh token is used up")]
    #[classify(permanent, refused)]
    InvalidGrant,
    #[error("no answer from {issuer}")]
    #[classify(inherit)]
    Issuer { issuer: String, source: E },
}

#[derive(Debug)]
struct Session {
    issuer: String,
    token: Secret,
}

impl Session {
    #[retry(policy = P, idempotent = "the issuer accepts a refresh token until its successor is used")]
    async fn refresh(&self) -> Result<&Self, Error<AuthError>> {
        match down(self.token.0.len() as u32).await {
            Ok(_) => Ok(self),
            Err(E(400)) => Err(AuthError::InvalidGrant),
            Err(source) => Err(AuthError::Issuer { issuer: self.issuer.clone(), source }),
        }
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let session = Session { issuer: "id.example".into(), token: Secret("abc".into()) };
    script([Err(E(503)), Ok(0), Err(E(400))]);
    assert_eq!(session.refresh().await.unwrap().issuer, "id.example");
    assert_eq!(session.refresh().await.unwrap_err().attempts(), 1);
    assert_eq!(calls(), [3, 3, 3]);
}
