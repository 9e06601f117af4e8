//! The scope that a request takes along.

use super::names::{
    ATTEMPT_COUNT, EXPECTED_TIMEOUT, GRPC_PREVIOUS_ATTEMPTS, GRPC_TIMEOUT, IDEMPOTENCY_KEY,
};
use super::{baggage, decode_grpc_timeout, encode_grpc_timeout, grpc_timeout, idempotency};
use crate::scope::{Scope, with_current};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::time::Duration;
use tokio::time::Instant;

/// Writes the current scope into the headers of a request: time left, attempt, root, owner, key.
///
/// Outside of any scope nothing is written. A shorter timeout that stands there already stays, and
/// so does an `Idempotency-Key`. Headers of gRPC are told by their `content-type`.
///
/// The key is written only if the call that makes the request is keyed itself: two different writes
/// inside one keyed call must not look like one.
///
/// ```
/// use http::HeaderMap;
/// use retry_runtime::{InScope, Scope, wire::send_scope};
/// use std::time::Duration;
/// use tokio::time::Instant;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let request = async {
///     let mut headers = HeaderMap::new();
///     send_scope(&mut headers);
///     headers
/// };
/// let headers = request.with_scope(Scope::root(Instant::now() + Duration::from_secs(1))).await;
/// assert_eq!(headers["x-envoy-expected-rq-timeout-ms"], "1000");
/// assert_eq!(headers["x-envoy-attempt-count"], "1");
/// # }
/// ```
pub fn send_scope(headers: &mut HeaderMap) {
    let is_grpc = headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
    with_current(|scope| write(headers, scope, is_grpc));
}

/// The same for gRPC, whatever the `content-type` says.
#[cfg(feature = "tonic")]
pub(super) fn send_scope_by_grpc(headers: &mut HeaderMap) {
    with_current(|scope| write(headers, scope, true));
}

fn write(headers: &mut HeaderMap, scope: &mut Scope, is_grpc: bool) {
    scope.identify();
    if let Some(end) = scope.attempt_end() {
        let left = end.saturating_duration_since(Instant::now());
        if is_grpc { write_grpc_timeout(headers, left) } else { write_timeout(headers, left) }
    }
    let attempt = scope.request_attempt();
    if !is_grpc {
        headers.insert(ATTEMPT_COUNT, attempt.into());
    } else if attempt > 1 {
        headers.insert(GRPC_PREVIOUS_ATTEMPTS, (attempt - 1).into());
    }
    baggage::write(headers, scope.root_id(), scope.has_owner(), scope.attempt_limit());
    if let Some(key) = scope.own_key().and_then(idempotency::encode) {
        headers.entry(IDEMPOTENCY_KEY).or_insert(key);
    }
}

fn write_timeout(headers: &mut HeaderMap, left: Duration) {
    let millis = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
    let before = text(headers, &EXPECTED_TIMEOUT).and_then(|before| before.parse().ok());
    if before.is_none_or(|before: u64| before > millis) {
        headers.insert(EXPECTED_TIMEOUT, millis.into());
    }
}

fn write_grpc_timeout(headers: &mut HeaderMap, left: Duration) {
    let before = text(headers, &GRPC_TIMEOUT).and_then(decode_grpc_timeout);
    if before.is_none_or(|before| before > left) {
        let timeout = encode_grpc_timeout(grpc_timeout::round_down(left));
        // Digits and a letter are a value in any header.
        if let Ok(timeout) = HeaderValue::try_from(timeout) {
            headers.insert(GRPC_TIMEOUT, timeout);
        }
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
