#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Classify, Error, Outcome, Policy, retry};
use std::time::Duration;

// SMTP has no key by which a server knows a repetition: a lost answer must not send twice.
const MAIL: Policy =
    Policy::once().attempt_timeout(Duration::from_secs(30)).deadline(Duration::from_secs(60));

#[derive(Debug, PartialEq, thiserror::Error, Classify)]
enum SmtpError {
    #[error("greylisted")]
    #[classify(transient, refused)]
    Greylisted,
    #[error("the connection was lost after DATA")]
    #[classify(transient)]
    Lost,
}

struct Mail {
    to: String,
    body: String,
}

#[retry(policy = MAIL, once)]
async fn send(mail: Mail) -> Result<(), Error<SmtpError>> {
    let Mail { to, body } = &mail;
    match down((to.len() + body.len()) as u32).await {
        Ok(_) => Ok(()),
        Err(E(450)) => Err(SmtpError::Greylisted),
        Err(E(_)) => Err(SmtpError::Lost),
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let mail = || Mail { to: "a@example".into(), body: "hello".into() };
    script([Err(E(450)), Err(E(0)), Ok(0)]);
    assert_eq!(send(mail()).await.unwrap_err().outcome(), Outcome::NotApplied);
    assert_eq!(send(mail()).await.unwrap_err().outcome(), Outcome::Unknown);
    assert_eq!(send(mail()).await, Ok(()));
    assert_eq!(calls(), [14, 14, 14]);
}
