//! HTTP to the payment server: what a client library would be. It makes each request once.

use crate::api::{NewCharge, Receipt, X_ORDER};
use crate::client::PayError;
use crate::journal::Journal;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::CONTENT_TYPE;
use hyper::http::HeaderValue;
use hyper::{Request, StatusCode};
use hyper_util::client::legacy::{self, Client, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use retry_runtime::wire::StatusError;
use std::error::Error;
use std::io;
use std::iter;
use std::net::SocketAddr;

/// A client with its connections, and a journal of what it sent.
pub(crate) struct Transport {
    client: Client<HttpConnector, Full<Bytes>>,
    server: SocketAddr,
    pub(crate) journal: Journal,
}

impl Transport {
    pub(crate) fn new(server: SocketAddr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new())
            // hyper-util would repeat a request that finds its connection closed. That is safe, but
            // one layer owns the retries, and here it is the annotated function.
            .retry_canceled_requests(false)
            .build(connector);
        Self { client, server, journal: Journal::default() }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server)
    }

    /// Sends the request once and reads the receipt.
    pub(crate) async fn send(
        &self,
        order: u32,
        mut request: Request<Option<NewCharge>>,
    ) -> Result<Receipt, PayError> {
        request.headers_mut().insert(X_ORDER, order.into());
        let line = self.journal.open(order, request.method());
        let result = self.exchange(request).await;
        line.close(&result);
        result.map(|(_, receipt)| receipt)
    }

    async fn exchange(
        &self,
        request: Request<Option<NewCharge>>,
    ) -> Result<(StatusCode, Receipt), PayError> {
        let response = self.client.request(encode(request)?).await.map_err(unanswered)?;
        let status = response.status();
        if !status.is_success() {
            return Err(StatusError::new(status, response.headers(), b"").into());
        }
        let body = response.collect().await.map_err(|error| PayError::NoAnswer(error.into()))?;
        Ok((status, serde_json::from_slice(&body.to_bytes())?))
    }
}

/// What became of a connection, in one word.
pub(crate) fn fate(error: &(dyn Error + 'static)) -> &'static str {
    let is_reset = |cause: &(dyn Error + 'static)| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::ConnectionReset)
    };
    let is_closed = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_incomplete_message)
    };
    if causes(error).any(is_reset) {
        "reset"
    } else if causes(error).any(is_closed) {
        "closed"
    } else {
        "broken"
    }
}

/// The error and what caused it.
fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    iter::successors(Some(error), |&error| error.source())
}

fn encode(request: Request<Option<NewCharge>>) -> Result<Request<Full<Bytes>>, PayError> {
    let (mut head, charge) = request.into_parts();
    let Some(charge) = charge else {
        return Ok(Request::from_parts(head, Full::default()));
    };
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(Request::from_parts(head, Full::from(serde_json::to_vec(&charge)?)))
}

/// A request was certainly not sent if there was no connection, or if hyper gives it back unsent.
/// Any other failure may have come after the server acted on it.
fn unanswered(error: legacy::Error) -> PayError {
    let given_back = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled)
    };
    if error.is_connect() || causes(&error).any(given_back) {
        PayError::NotSent(error)
    } else {
        PayError::NoAnswer(error.into())
    }
}

/// What a server that says no says, in a few words.
pub(crate) fn refusal(error: &StatusError) -> String {
    let status = error.status().as_u16();
    match error.retry_after() {
        Some(wait) => format!("{status}, retry after {wait:?}"),
        None => format!("status {status}"),
    }
}
