//! reqwest: its errors and responses are classified, and its requests take the scope along.

use super::{BODY_LIMIT, StatusError, class_of_status, send_scope};
use crate::classify::{Class, Classify, cause, unconnected};
use crate::error::{FromStopped, Stopped};
use http::HeaderMap;
use reqwest::{Error, RequestBuilder, Response};
use std::io;

/// Sending a request with the current scope; needs the feature `reqwest`.
pub trait RequestExt {
    /// Sends the request with the current scope in its headers; see [`send_scope`].
    ///
    /// Dropping the future drops the request, as with `send`.
    ///
    /// # Errors
    ///
    /// Those of [`RequestBuilder::send`].
    fn send_in_scope(self) -> impl Future<Output = Result<Response, Error>> + Send;
}

impl RequestExt for RequestBuilder {
    async fn send_in_scope(self) -> Result<Response, Error> {
        let (client, request) = self.build_split();
        let mut request = request?;
        send_scope(request.headers_mut());
        client.execute(request).await
    }
}

/// Turning a status into an error; needs the feature `reqwest`.
///
/// ```no_run
/// use retry_runtime::wire::{HttpError, RequestExt, ResponseExt};
/// use retry_runtime::{Policy, retry};
/// use std::time::Duration;
///
/// const READ: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
///     .attempt_timeout(Duration::from_millis(180))
///     .deadline(Duration::from_millis(800));
///
/// #[retry(policy = READ, idempotent)]
/// async fn quote(http: &reqwest::Client) -> Result<String, retry_runtime::Error<HttpError>> {
///     let reply = http.get("http://quotes.internal/ACME").send_in_scope().await?;
///     Ok(reply.checked().await?.text().await?)
/// }
/// ```
pub trait ResponseExt: Sized {
    /// The response if its status is in 2xx, and otherwise what it says: status, hint, and the first
    /// [`BODY_LIMIT`] bytes of the body.
    ///
    /// It waits for that part of the body. A small one is read to its end, so that the connection
    /// can be used again for the next attempt.
    ///
    /// # Errors
    ///
    /// [`StatusError`] for a status outside of 2xx.
    fn checked(self) -> impl Future<Output = Result<Self, StatusError>> + Send;
}

impl ResponseExt for Response {
    async fn checked(mut self) -> Result<Self, StatusError> {
        if self.status().is_success() {
            return Ok(self);
        }
        let mut body = Vec::new();
        while body.len() <= BODY_LIMIT {
            // A body that breaks off changes nothing about the status.
            let Ok(Some(chunk)) = self.chunk().await else { break };
            body.extend_from_slice(&chunk);
        }
        Err(StatusError::new(self.status(), self.headers(), &body))
    }
}

/// How an HTTP call by reqwest fails: no answer, or an answer that says no; needs the feature
/// `reqwest`.
///
/// Both kinds of error become one by `?`, so that a function that only calls over HTTP needs no error
/// type of its own. In an error type of one's own, `#[classify(inherit)]` passes its class on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// There is no answer, or none that can be read.
    #[error(transparent)]
    Transport(#[from] Error),
    /// The server says no.
    #[error(transparent)]
    Status(#[from] StatusError),
    /// The call was stopped without an error of its own.
    #[error(transparent)]
    Stopped(Stopped),
}

impl Classify for HttpError {
    fn classify(&self) -> Class {
        match self {
            Self::Transport(error) => error.classify(),
            Self::Status(error) => error.classify(),
            Self::Stopped(stopped) => stopped.classify(),
        }
    }
}

impl FromStopped for HttpError {
    fn from_stopped(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// No connection, or a request that cannot be made: not sent. A connection that broke, or a timeout:
/// unknown, and transient. An answer that cannot be read: permanent.
///
/// A client that sends writes must not follow redirects: the error does not tell whether it was the
/// first server that could not be reached, or the one that the first, after it had done the write,
/// pointed to. `reqwest::redirect::Policy::none()` switches them off.
impl Classify for Error {
    fn classify(&self) -> Class {
        if let Some(status) = self.status() {
            return class_of_status(status, &HeaderMap::new());
        }
        if self.is_builder() {
            return unmade(self);
        }
        if self.is_connect() {
            return unconnected(cause::<io::Error>(self));
        }
        // hyper gives back what it had no connection for any more.
        if self.is_request() && cause::<hyper::Error>(self).is_some_and(hyper::Error::is_canceled) {
            return Class::TRANSIENT.not_sent();
        }
        if self.is_timeout() || self.is_request() || self.is_body() {
            return Class::TRANSIENT;
        }
        if self.is_decode() {
            // An answer that broke off before its end is reported as one that cannot be decoded.
            let broke_off = cause::<hyper::Error>(self).is_some();
            return if broke_off { Class::TRANSIENT } else { Class::PERMANENT };
        }
        Class::PERMANENT
    }
}

/// A request that cannot be made carries no address yet. With one, it may be the second of two: the
/// server got the first and answered with a redirect to where no request can go.
fn unmade(error: &Error) -> Class {
    if error.url().is_none() { Class::PERMANENT.not_sent() } else { Class::PERMANENT }
}
