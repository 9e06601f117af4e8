//! What an HTTP status says of a failure.

use super::names::OVERLOADED;
use super::retry_after;
use crate::classify::{Class, Classify};
use crate::scope::current_key;
use http::{HeaderMap, StatusCode};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// How much of the body of a failed response is kept: 8 KiB.
pub const BODY_LIMIT: usize = 8 * 1024;

/// Where a call behind the server was cancelled: nginx, and the HTTP mapping of gRPC's `CANCELLED`.
const CLIENT_CLOSED_REQUEST: u16 = 499;

/// What a status outside of 2xx says of trying again.
///
/// | status | class | delivery |
/// |---|---|---|
/// | 429 | throttled | refused |
/// | 503 with `Retry-After` | throttled | unknown |
/// | 503 with `x-envoy-overloaded: true` | throttled | refused |
/// | other 5xx | transient | unknown |
/// | 425 | transient | refused |
/// | 408 | transient: servers answer it in the middle of their work, too | unknown |
/// | 409 within a keyed call | transient: the write with this key is still in progress | unknown |
/// | 499: somebody on the way hung up on the server | permanent | unknown |
/// | other 4xx, 400 and 422 among them | permanent | refused |
/// | all else | permanent | unknown |
///
/// A hint, [`retry_after`], is kept whatever the status.
///
/// ```
/// use http::{HeaderMap, StatusCode};
/// use retry_runtime::{Class, wire::class_of_status};
///
/// let none = HeaderMap::new();
/// assert_eq!(class_of_status(StatusCode::BAD_GATEWAY, &none), Class::TRANSIENT);
/// assert_eq!(class_of_status(StatusCode::NOT_FOUND, &none), Class::PERMANENT.refused());
/// ```
pub fn class_of_status(status: StatusCode, headers: &HeaderMap) -> Class {
    let hint = retry_after(headers);
    let class = match status {
        StatusCode::TOO_MANY_REQUESTS => Class::THROTTLED,
        StatusCode::SERVICE_UNAVAILABLE if sheds_load(headers) => Class::THROTTLED,
        StatusCode::SERVICE_UNAVAILABLE if hint.is_some() => Class::THROTTLED.unknown(),
        StatusCode::TOO_EARLY => Class::TRANSIENT.refused(),
        StatusCode::REQUEST_TIMEOUT => Class::TRANSIENT,
        StatusCode::CONFLICT if is_keyed() => Class::TRANSIENT,
        _ if status.is_server_error() => Class::TRANSIENT,
        _ if status.as_u16() == CLIENT_CLOSED_REQUEST => Class::PERMANENT,
        _ if status.is_client_error() => Class::PERMANENT.refused(),
        _ => Class::PERMANENT,
    };
    match hint {
        Some(hint) => class.retry_after(hint),
        None => class,
    }
}

/// By [`class_of_status`], for a variant that holds a status and is marked `inherit`.
impl Classify for StatusCode {
    fn classify(&self) -> Class {
        class_of_status(*self, &HeaderMap::new())
    }
}

fn sheds_load(headers: &HeaderMap) -> bool {
    headers.get(OVERLOADED).is_some_and(|value| value == "true")
}

/// Whether the request that was answered belongs to a keyed call.
fn is_keyed() -> bool {
    current_key().is_some()
}

/// A response whose status is outside of 2xx: status, hint and the beginning of the body.
///
/// It is judged when it is made, within the attempt that got it.
///
/// ```
/// use http::{HeaderMap, StatusCode};
/// use retry_runtime::{Classify, wire::StatusError};
///
/// let error = StatusError::new(StatusCode::NOT_FOUND, &HeaderMap::new(), b"no such order");
/// assert_eq!(error.to_string(), "the server answered 404 Not Found");
/// assert_eq!(error.text(), "no such order");
/// assert!(!error.classify().is_retryable());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StatusError {
    status: StatusCode,
    class: Class,
    body: Box<[u8]>,
}

impl StatusError {
    /// What became of a request; of the body the first [`BODY_LIMIT`] bytes are kept.
    #[must_use]
    pub fn new(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Self {
        let body = body.get(..BODY_LIMIT).unwrap_or(body).into();
        Self { status, class: class_of_status(status, headers), body }
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// How long the server asks to be left alone.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.class.hint()
    }

    /// The beginning of the body, up to [`BODY_LIMIT`] bytes.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The beginning of the body as a text; what is not UTF-8 is replaced.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}

impl fmt::Debug for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusError")
            .field("status", &self.status)
            .field("class", &self.class)
            .field("body", &self.text())
            .finish()
    }
}

impl fmt::Display for StatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the server answered {}", self.status)
    }
}

impl std::error::Error for StatusError {}

impl Classify for StatusError {
    fn classify(&self) -> Class {
        self.class
    }
}
