#![deny(warnings)]
use kit::{E, P, calls, down, script};
use retry_runtime::{Error, IdempotencyKey, InvalidKey, retry};

struct Gateway {
    sender: String,
}

#[derive(Clone)]
struct Sms {
    id: IdempotencyKey,
    text: String,
}

impl Gateway {
    async fn submit(&self, sms: Sms) -> Result<u32, E> {
        down((self.sender.len() + sms.id.as_str().len() + sms.text.len()) as u32).await
    }

    #[retry(policy = P, idempotency_key = sms.id, clone(sms))]
    async fn send(&self, sms: Sms) -> Result<u32, Error<E>> {
        self.submit(sms).await
    }
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), InvalidKey> {
    let gateway = Gateway { sender: "shop".into() };
    let sms = Sms { id: IdempotencyKey::new("sms-1")?, text: "hello".into() };
    script([Err(E(503)), Err(E(503)), Ok(7)]);
    assert_eq!(gateway.send(sms).await, Ok(7));
    assert_eq!(calls(), [14, 14, 14]);
    Ok(())
}
