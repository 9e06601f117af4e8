//! The annotated functions: charge an order, and ask whether it was charged.

use crate::api::{IDEMPOTENCY_KEY, NewCharge, Receipt};
use crate::placed::Placed;
use crate::transport::{self, Transport};
use hyper::{Request, StatusCode};
use hyper_util::client::legacy;
use retry_runtime::wire::StatusError;
use retry_runtime::{Budget, Classify, Downstream, Outcome, Policy, retry};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// Four attempts of 200 ms and waits of at most 50, 100 and 200 ms are 1.15 s. The rest of the
/// deadline is for a server that asks to be left alone for a second.
pub(crate) const CHECKOUT: Policy =
    Policy::exponential(Duration::from_millis(50), Duration::from_millis(500))
        .max_attempts(4)
        .attempt_timeout(Duration::from_millis(200))
        .deadline(Duration::from_secs(3));

pub(crate) const LOOKUP: Policy = CHECKOUT.max_attempts(3);

/// Every third request of this demo fails on purpose, so that the default budget, 20 % of the calls,
/// would stop most retries. In production that is its task: it keeps an outage from growing.
static PAYMENTS: Downstream =
    Downstream::new("payments").budget(Budget::ratio(1.0).per_second(100));

/// What a customer pays for.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub(crate) id: u32,
    pub(crate) cents: u32,
    /// Made with the order and stored with it, so that it outlives a crash of this program.
    pub(crate) key: String,
}

impl Order {
    pub(crate) fn numbered(id: u32) -> Self {
        Self { id, cents: 1_000 + id % 9_000, key: format!("order-{id}-payment") }
    }

    pub(crate) fn to_charge(&self) -> NewCharge {
        NewCharge { order: self.id, cents: self.cents }
    }
}

/// Every way in which the payment server can fail, and what each means for trying again.
#[derive(Debug, thiserror::Error, Classify)]
pub(crate) enum PayError {
    #[error("cannot connect")]
    #[classify(transient, not_sent)]
    NotSent(#[source] legacy::Error),

    /// The request was under way: the customer may have been charged.
    #[error("connection {}", transport::fate(&**.0))]
    #[classify(transient)]
    NoAnswer(#[source] Box<dyn Error + Send + Sync>),

    #[error("{}", transport::refusal(.0))]
    #[classify(inherit)]
    Refused(#[from] StatusError),

    #[error("not the JSON that was agreed upon")]
    #[classify(permanent)]
    Json(#[from] serde_json::Error),

    #[error("not a request")]
    #[classify(permanent, not_sent)]
    Request(#[from] hyper::http::Error),
}

/// Charges the order. However often it is called, the customer pays once.
#[retry(policy = CHECKOUT, downstream = PAYMENTS, idempotency_key = order.key)]
async fn charge(
    http: &Transport,
    order: &Order,
) -> Result<Receipt, retry_runtime::Error<PayError>> {
    let request = Request::post(http.url("/charges"))
        .header(IDEMPOTENCY_KEY, &order.key)
        .body(Some(order.to_charge()))?;
    http.send(order.id, request).await
}

/// Asks whether the order was charged.
#[retry(policy = LOOKUP, downstream = PAYMENTS, idempotent)]
async fn find_charge(
    http: &Transport,
    order: u32,
) -> Result<Option<Receipt>, retry_runtime::Error<PayError>> {
    let request = Request::get(http.url(&format!("/charges/{order}"))).body(None)?;
    match http.send(order, request).await {
        Ok(receipt) => Ok(Some(receipt)),
        Err(PayError::Refused(no)) if no.status() == StatusCode::NOT_FOUND => Ok(None),
        Err(error) => Err(error),
    }
}

/// Charges the order, and asks where the charge went if no answer came.
pub(crate) async fn place(http: Arc<Transport>, order: Order) -> Placed {
    let stopped = match charge(&http, &order).await {
        Ok(receipt) => return Placed::Confirmed(receipt),
        Err(error) => error.stopped(),
    };
    if stopped.outcome() == Outcome::NotApplied {
        return Placed::NotCharged(stopped);
    }
    match find_charge(&http, order.id).await {
        Ok(Some(receipt)) => Placed::Found { receipt, charge: stopped },
        // No charge yet: a request that was given up may still arrive, so this proves nothing.
        Ok(None) => Placed::Unknown { charge: stopped, lookup: None },
        Err(error) => Placed::Unknown { charge: stopped, lookup: Some(error.stopped()) },
    }
}
