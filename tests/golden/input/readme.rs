use kit::bank::{Bank, Order, PayError, Receipt};
use retry_runtime::{Downstream, Policy, retry};
use std::time::Duration;

pub const CHECKOUT: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
    .max_attempts(3)
    .attempt_timeout(Duration::from_millis(180))
    .deadline(Duration::from_millis(800));

pub static PAYMENTS: Downstream = Downstream::new("payments");

#[retry(policy = CHECKOUT, downstream = PAYMENTS, idempotency_key = order.key)]
pub async fn charge(bank: &Bank, order: &Order) -> Result<Receipt, retry_runtime::Error<PayError>> {
    let reply = bank.post("/charges", &order.key, order.cents).await?;
    let receipt = reply.receipt().ok_or(PayError::Refused)?;
    Ok(receipt)
}
