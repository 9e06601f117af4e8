#![deny(warnings)]
use kit::{E, calls, down, script};
use retry_runtime::{Classify, Downstream, Error, IdempotencyKey, Outcome, Policy, retry};
use std::time::Duration;

const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));

static PAYMENTS: Downstream = Downstream::new("payments");

#[derive(Debug, thiserror::Error, Classify)]
pub enum PayError {
    #[error("the connection was lost")]
    #[classify(transient)]
    Lost,
    #[error("the card was declined")]
    #[classify(permanent, refused)]
    Declined,
}

pub struct Order {
    pub key: IdempotencyKey,
    pub cents: u32,
}

/// Charges for an order, at most once.
#[retry(policy = CHECKOUT, downstream = PAYMENTS, idempotency_key = order.key)]
pub async fn charge(order: &Order) -> Result<u32, Error<PayError>> {
    let Order { key, cents } = order;
    down(*cents + key.as_str().len() as u32).await.map_err(|E(code)| match code {
        402 => PayError::Declined,
        _ => PayError::Lost,
    })
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let order = Order { key: IdempotencyKey::new("order-7").unwrap(), cents: 250 };
    script([Err(E(0)), Ok(9), Err(E(402)), Err(E(0)), Err(E(0)), Err(E(0))]);
    assert_eq!(charge(&order).await.unwrap(), 9);
    assert_eq!(charge(&order).await.unwrap_err().outcome(), Outcome::NotApplied);
    assert_eq!(charge(&order).await.unwrap_err().outcome(), Outcome::Unknown);
    assert_eq!(calls(), [257; 6]);
}
