//! The scope that a request brings along.

use super::names::{
    ATTEMPT_COUNT, EXPECTED_TIMEOUT, GRPC_PREVIOUS_ATTEMPTS, GRPC_TIMEOUT, IDEMPOTENCY_KEY,
};
use super::{baggage, decode_grpc_timeout, idempotency};
use crate::scope::Scope;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// Reads the scope of requests, and holds them to the server's own maximum.
///
/// Anybody can send a header. Whatever one claims, the deadline is never later than the server's
/// maximum, and what makes no sense is ignored and counted.
///
/// ```
/// use http::HeaderMap;
/// use retry_runtime::wire::Incoming;
/// use std::time::Duration;
///
/// let incoming = Incoming::new(Duration::from_secs(2));
/// let mut headers = HeaderMap::new();
/// headers.insert("x-envoy-expected-rq-timeout-ms", "80".parse().unwrap());
/// assert!(incoming.scope(&headers).time_left() <= Duration::from_millis(80));
///
/// headers.insert("x-envoy-expected-rq-timeout-ms", "soon".parse().unwrap());
/// assert!(incoming.scope(&headers).time_left() <= Duration::from_secs(2));
/// assert_eq!(incoming.ignored(), 1);
/// ```
#[derive(Debug)]
pub struct Incoming {
    maximum: Duration,
    trusts_owner: bool,
    ignored: AtomicU64,
}

impl Incoming {
    /// Requests may last as long as their headers say, and never longer than `maximum`.
    #[must_use]
    pub const fn new(maximum: Duration) -> Self {
        Self { maximum, trusts_owner: true, ignored: AtomicU64::new(0) }
    }

    /// Retries here even where the caller says that it does: layers multiply.
    #[must_use]
    pub const fn without_owner(mut self) -> Self {
        self.trusts_owner = false;
        self
    }

    /// How many headers made no sense so far.
    #[must_use]
    pub fn ignored(&self) -> u64 {
        self.ignored.load(Ordering::Relaxed)
    }

    /// The scope of a request that has just come in.
    #[must_use]
    pub fn scope(&self, headers: &HeaderMap) -> Scope {
        let mut reader = Reader { headers, nonsense: 0 };
        let now = Instant::now();
        // A maximum that no clock can show is none.
        let latest = now.checked_add(self.maximum.min(reader.timeout()));
        let entries = baggage::read(headers);
        reader.nonsense += entries.nonsense;
        let owner = self.trusts_owner && entries.owned;
        let scope = Scope::of_request(
            latest,
            entries.root,
            reader.previous_attempts(),
            owner,
            entries.limit.filter(|_| self.trusts_owner),
        );
        let scope = match reader.get(&IDEMPOTENCY_KEY, idempotency::decode) {
            Some(key) => scope.idempotency_key(key),
            None => scope,
        };
        self.ignored.fetch_add(reader.nonsense, Ordering::Relaxed);
        scope
    }
}

/// Reads headers, and counts those that make no sense.
struct Reader<'h> {
    headers: &'h HeaderMap,
    nonsense: u64,
}

impl Reader<'_> {
    /// The one value of a header; two of a kind make as little sense as one that cannot be read.
    fn get<T>(
        &mut self,
        name: &HeaderName,
        read: impl FnOnce(&HeaderValue) -> Option<T>,
    ) -> Option<T> {
        let mut values = self.headers.get_all(name).iter();
        let first = values.next()?;
        let value = if values.next().is_some() { None } else { read(first) };
        self.nonsense += u64::from(value.is_none());
        value
    }

    /// The shortest time that a header gives.
    fn timeout(&mut self) -> Duration {
        let grpc = self.get(&GRPC_TIMEOUT, |value| decode_grpc_timeout(value.to_str().ok()?));
        let http = self.get(&EXPECTED_TIMEOUT, |value| integer(value).map(Duration::from_millis));
        grpc.unwrap_or(Duration::MAX).min(http.unwrap_or(Duration::MAX))
    }

    fn previous_attempts(&mut self) -> u32 {
        let grpc = self.get(&GRPC_PREVIOUS_ATTEMPTS, integer).unwrap_or_default();
        let http = self.get(&ATTEMPT_COUNT, |value| integer(value)?.checked_sub(1));
        u32::try_from(grpc.max(http.unwrap_or_default())).unwrap_or(u32::MAX)
    }
}

/// Digits alone: no sign, no space, no fraction. More than fits is as much as fits.
fn integer(value: &HeaderValue) -> Option<u64> {
    let digits = value.as_bytes();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |sum: u64, digit: &u8| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(digits.iter().fold(0, add))
}
