//! The annotated functions: look a rate up, and charge in that currency.

use reqwest::{Client, StatusCode};
use retry_runtime::wire::{HttpError, RequestExt, ResponseExt};
use retry_runtime::{Classify, Downstream, Error, IdempotencyKey, Policy, Reconciled, retry};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

const LOOKUP: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_millis(500))
    .attempt_timeout(Duration::from_millis(100))
    .deadline(Duration::from_secs(1));

/// Looking a rate up inside is part of an attempt.
const CHECKOUT: Policy = LOOKUP.attempt_timeout(Duration::from_millis(180));

static EXCHANGE: Downstream = Downstream::new("exchange");
static BANK: Downstream = Downstream::new("bank");

pub(crate) struct Order {
    pub(crate) key: &'static str,
    pub(crate) cents: u32,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Receipt {
    pub(crate) cents: u32,
    pub(crate) currency: String,
}

#[derive(Deserialize)]
struct Rate {
    currency: String,
    /// In our cents.
    price_of_100: u32,
}

/// How a request fails; it shows itself in events by its sentence.
#[derive(thiserror::Error, Classify)]
pub(crate) enum ShopError {
    #[error("{0}")]
    #[classify(inherit)]
    Http(#[from] HttpError),

    /// Nothing was charged: the exchange is asked first.
    #[error("no rate: {0}")]
    #[classify(transient, not_sent, when = _0.classify().is_retryable())]
    #[classify(permanent, not_sent)]
    NoRate(#[from] Box<Error<ShopError>>),
}

impl fmt::Debug for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<reqwest::Error> for ShopError {
    fn from(error: reqwest::Error) -> Self {
        Self::Http(error.into())
    }
}

impl From<retry_runtime::wire::StatusError> for ShopError {
    fn from(error: retry_runtime::wire::StatusError) -> Self {
        Self::Http(error.into())
    }
}

pub(crate) struct Shop {
    http: Client,
    server: SocketAddr,
}

impl Shop {
    pub(crate) fn at(server: SocketAddr) -> Self {
        Self { http: Client::new(), server }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server)
    }

    /// Looks the rate up beforehand, where it may be tried again, and charges.
    pub(crate) async fn place(&self, order: &Order) -> Result<Receipt, Error<ShopError>> {
        self.rate("EUR").await?;
        self.charge(order).await
    }

    #[retry(policy = LOOKUP, downstream = EXCHANGE, idempotent)]
    async fn rate(&self, currency: &str) -> Result<Rate, Error<ShopError>> {
        let url = self.url(&format!("/rates/{currency}"));
        let reply = self.http.get(url).send_in_scope().await?;
        Ok(reply.checked().await?.json().await?)
    }

    #[retry(
        policy = CHECKOUT,
        downstream = BANK,
        idempotency_key = order.key,
        reconcile = |key| self.find(key),
    )]
    async fn charge(&self, order: &Order) -> Result<Receipt, Error<ShopError>> {
        // Inside an attempt it is tried once, and the attempt is tried again.
        let rate = self.rate("EUR").await.map_err(Box::new)?;
        let cents = order.cents * 100 / rate.price_of_100.max(1);
        let receipt = Receipt { cents, currency: rate.currency };
        let request = self.http.post(self.url("/charges"));
        let request = request.header("idempotency-key", order.key).json(&receipt);
        let reply = request.send_in_scope().await?;
        Ok(reply.checked().await?.json().await?)
    }

    async fn find(&self, key: &IdempotencyKey) -> Result<Reconciled<Receipt>, ShopError> {
        let reply = self.http.get(self.url(&format!("/charges/{key}"))).send_in_scope().await?;
        if reply.status() == StatusCode::NOT_FOUND {
            return Ok(Reconciled::NotApplied);
        }
        Ok(Reconciled::Applied(reply.checked().await?.json().await?))
    }
}
