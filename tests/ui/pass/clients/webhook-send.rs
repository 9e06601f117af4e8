#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Classify, Error, Policy, Reason, retry};
use std::time::Duration;

const HOOKS: Policy = Policy::exponential(Duration::from_secs(1), Duration::from_secs(60))
    .max_attempts(5)
    .attempt_timeout(Duration::from_secs(10))
    .max_retry_after(Duration::from_secs(20))
    .deadline(Duration::from_secs(120));

#[derive(Debug, Classify)]
enum HookError {
    #[classify(throttled, retry_after = wait)]
    Busy { wait: Option<Duration> },
    #[classify(transient, when = *_0 >= 500)]
    #[classify(permanent)]
    Status(u16),
}

struct Event {
    id: String,
    body: String,
}

#[retry(policy = HOOKS, idempotency_key = event.id)]
async fn deliver(url: &str, event: &Event) -> Result<(), Error<HookError>> {
    let signed = format!("{}.{}", event.id, event.body);
    match down((url.len() + signed.len()) as u32).await {
        Ok(_) => Ok(()),
        Err(E(seconds @ ..=99)) => {
            Err(HookError::Busy { wait: Some(Duration::from_secs(seconds.into())) })
        }
        Err(E(429)) => Err(HookError::Busy { wait: None }),
        Err(E(status)) => Err(HookError::Status(status)),
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let event = Event { id: "e-1".into(), body: "{}".into() };
    script([Err(E(500)), Err(E(7)), Err(E(429)), Ok(0), Err(E(60))]);
    assert!(deliver("https://hook", &event).await.is_ok());
    assert_eq!(
        deliver("https://hook", &event).await.unwrap_err().reason(),
        Reason::RetryAfterTooLong
    );
    assert_eq!(calls(), [18; 5]);
}
