#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Classify, Downstream, Stopped, retry};
use std::borrow::Cow;

static BROKER: Downstream = Downstream::new("broker");

#[derive(Debug, thiserror::Error, Classify)]
enum PublishError {
    #[error("no acknowledgement")]
    #[classify(transient)]
    NotAcknowledged(#[source] E),
    #[error("the message is too large")]
    #[classify(permanent, not_sent)]
    TooLarge,
    #[error(transparent)]
    #[classify(stopped)]
    Stopped(#[from] Stopped),
}

struct Message<'m> {
    id: String,
    payload: Cow<'m, [u8]>,
}

#[retry(policy = P, downstream = BROKER, idempotency_key = message.id)]
async fn publish(topic: &str, message: Message<'_>) -> Result<u32, PublishError> {
    if message.payload.len() > 1024 {
        return Err(PublishError::TooLarge);
    }
    let offset = down((topic.len() + message.id.len()) as u32).await;
    offset.map_err(PublishError::NotAcknowledged)
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    script([Err(E(1)), Ok(99)]);
    let message = Message { id: "m-1".into(), payload: Cow::Borrowed(b"hello") };
    assert_eq!(publish("mail", message).await.unwrap(), 99);
    let message = Message { id: "m-2".into(), payload: vec![0; 2000].into() };
    assert!(matches!(publish("mail", message).await, Err(PublishError::TooLarge)));
    assert_eq!(calls(), [7, 7]);
}
