//! The annotated functions: a charge of each effect.

use crate::fault::Kind;
use crate::network::{Network, Order};
use reqwest::{Method, StatusCode};
use retry_runtime::wire::{HttpError, RequestExt, ResponseExt};
use retry_runtime::{Budget, Downstream, Error, IdempotencyKey, Policy, Reconciled, retry};
use retry_writes_tests::api::{Closing, NewCharge, Receipt};
use std::time::Duration;

pub const ATTEMPT: Duration = Duration::from_millis(250);

/// Short waits, so that a hundred thousand calls take minutes.
const CHARGE: Policy = Policy::exponential(Duration::from_millis(10), Duration::from_millis(80))
    .max_attempts(3)
    .attempt_timeout(ATTEMPT)
    .deadline(Duration::from_secs(3));

const ONCE: Policy = Policy::once().attempt_timeout(ATTEMPT).deadline(Duration::from_secs(1));

/// Every third request fails on purpose here; the budget that is right elsewhere would stop most
/// retries.
static BANK: Downstream = Downstream::new("bank").budget(Budget::ratio(1.0).per_second(1000));

/// The bank knows a repeated charge by its key, which `send_in_scope` sends.
#[retry(policy = CHARGE, downstream = BANK, idempotency_key = order.key)]
pub async fn charge(network: &Network, order: &Order) -> Result<Receipt, Error<HttpError>> {
    let request = network.request(order, Kind::Charge, Method::POST, "/charges");
    let reply = request.json(&new_charge(order)).send_in_scope().await?;
    Ok(reply.checked().await?.json().await?)
}

/// The bank ignores keys, and can be asked.
#[retry(
    policy = CHARGE,
    downstream = BANK,
    idempotency_key = order.key,
    reconcile = |key| find(network, order, key),
)]
pub async fn charge_or_ask(network: &Network, order: &Order) -> Result<Receipt, Error<HttpError>> {
    let request = network.request(order, Kind::Charge, Method::POST, "/charges");
    let reply = request.json(&new_charge(order)).send_in_scope().await?;
    Ok(reply.checked().await?.json().await?)
}

/// Asks for the charge. "Not applied" is a promise of the bank: what is still on its way is refused
/// when it arrives, so that it is safe to charge again.
async fn find(
    network: &Network,
    order: &Order,
    key: &IdempotencyKey,
) -> Result<Reconciled<Receipt>, HttpError> {
    assert_eq!(*key, order.key);
    let path = format!("/charges/{}/closed", order.id);
    let request = network.request(order, Kind::Question, Method::PUT, &path);
    let closing = Closing { generation: order.generation() };
    let reply = request.json(&closing).send_in_scope().await?;
    let found: Option<Receipt> = reply.checked().await?.json().await?;
    Ok(match found {
        Some(receipt) => Reconciled::Applied(receipt),
        None => {
            order.next_generation();
            Reconciled::NotApplied
        }
    })
}

/// The same with a question whose "not applied" is true for a moment only: a charge that is still on
/// its way can arrive after it.
#[retry(
    policy = CHARGE,
    downstream = BANK,
    idempotency_key = order.key,
    reconcile = |_key| find_for_now(network, order),
)]
pub async fn charge_or_peek(network: &Network, order: &Order) -> Result<Receipt, Error<HttpError>> {
    let request = network.request(order, Kind::Charge, Method::POST, "/charges");
    let reply = request.json(&new_charge(order)).send_in_scope().await?;
    Ok(reply.checked().await?.json().await?)
}

async fn find_for_now(network: &Network, order: &Order) -> Result<Reconciled<Receipt>, HttpError> {
    let path = format!("/charges/{}", order.id);
    let request = network.request(order, Kind::Question, Method::GET, &path);
    let reply = request.send_in_scope().await?;
    if reply.status() == StatusCode::NOT_FOUND {
        return Ok(Reconciled::NotApplied);
    }
    Ok(Reconciled::Applied(reply.checked().await?.json().await?))
}

/// The bank ignores keys and cannot be asked: one attempt.
#[retry(policy = ONCE, downstream = BANK, once)]
pub async fn charge_once(network: &Network, order: &Order) -> Result<Receipt, Error<HttpError>> {
    let request = network.request(order, Kind::Charge, Method::POST, "/charges");
    let reply = request.json(&new_charge(order)).send_in_scope().await?;
    Ok(reply.checked().await?.json().await?)
}

/// The same charge as the first step of something that is tried again as a whole.
#[retry(policy = CHARGE, downstream = BANK, idempotent = "the charge in it refuses to be made twice")]
pub async fn check_out(
    network: &Network,
    order: &Order,
) -> Result<Receipt, Error<Error<HttpError>>> {
    let receipt = charge_once(network, order).await?;
    look(network, order).await?;
    Ok(receipt)
}

/// The same with a bank that can be asked.
#[retry(policy = CHARGE, downstream = BANK, idempotent = "the charge in it asks before it repeats")]
pub async fn check_out_or_ask(
    network: &Network,
    order: &Order,
) -> Result<Receipt, Error<Error<HttpError>>> {
    let receipt = charge_or_ask(network, order).await?;
    look(network, order).await?;
    Ok(receipt)
}

#[retry(policy = CHARGE, downstream = BANK, idempotent)]
async fn look(network: &Network, order: &Order) -> Result<Receipt, Error<HttpError>> {
    let path = format!("/charges/{}", order.id);
    let request = network.request(order, Kind::Look, Method::GET, &path);
    Ok(request.send_in_scope().await?.checked().await?.json().await?)
}

fn new_charge(order: &Order) -> NewCharge {
    NewCharge { order: order.id, cents: order.cents, generation: order.generation() }
}
