use kit::bank::{Bank, Order, PayError, Receipt};
use retry_runtime::{Error, IdempotencyKey, Policy, Reconciled, retry};
use std::time::Duration;

const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));

#[retry(policy = CHECKOUT, idempotency_key = order.key, reconcile = |key| find(bank, key))]
pub async fn charge(bank: &Bank, order: &Order) -> Result<Receipt, Error<PayError>> {
    let reply = bank.post("/charges", &order.key, order.cents).await?;
    reply.receipt().ok_or(PayError::Refused)
}

async fn find(bank: &Bank, key: &IdempotencyKey) -> Result<Reconciled<Receipt>, PayError> {
    let reply = bank.post("/find", key.as_str(), 0).await?;
    Ok(reply.receipt().map_or(Reconciled::NotApplied, Reconciled::Applied))
}
