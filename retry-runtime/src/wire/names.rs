//! Names of headers that `http` does not know.

use http::HeaderName;

/// How long the client waits, in whole milliseconds: Envoy, HTTP router filter.
pub(super) const EXPECTED_TIMEOUT: HeaderName =
    HeaderName::from_static("x-envoy-expected-rq-timeout-ms");

/// Which attempt this is, counted from 1: Envoy, HTTP router filter.
pub(super) const ATTEMPT_COUNT: HeaderName = HeaderName::from_static("x-envoy-attempt-count");

/// The server sheds load before it looks at the request: Envoy, overload manager.
pub(super) const OVERLOADED: HeaderName = HeaderName::from_static("x-envoy-overloaded");

/// How long the client waits: gRPC over HTTP/2.
pub(super) const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// How many attempts went before, absent in the first: gRPC, proposal A6.
pub(super) const GRPC_PREVIOUS_ATTEMPTS: HeaderName =
    HeaderName::from_static("grpc-previous-rpc-attempts");

/// Entries that travel with a request: W3C Baggage.
pub(super) const BAGGAGE: HeaderName = HeaderName::from_static("baggage");

/// One value for all attempts of a write: IETF HTTP API working group.
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// What is left of a quota, and when there is more: IETF HTTP API working group.
pub(super) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
