//! What services tell each other in headers: how long, how often, who retries, what came of it.
//!
//! Everything here is of the feature `http` and works with any client and server that speaks in
//! [`http::HeaderMap`]s; `tower`, `reqwest` and `tonic` make it one line for theirs.
//!
//! | who | to whom | header | what |
//! |---|---|---|---|
//! | client | server | `x-envoy-expected-rq-timeout-ms`; gRPC `grpc-timeout` | how long the client still waits |
//! | | | `x-envoy-attempt-count`; gRPC `grpc-previous-rpc-attempts` | the attempt of the request |
//! | | | `baggage` | `retry-root`, `retry-owner`, `retry-limit`: root id, who retries, attempt limit |
//! | | | `Idempotency-Key` | the key of a keyed call |
//! | server | client | `Retry-After`, `RateLimit`; gRPC `grpc-retry-pushback-ms` | when to come back |
//!
//! The time is sent as a duration, because two machines do not agree on the time of day, is computed
//! anew for every request, and is rounded down, so that it never grows on its way.
//!
//! Names and forms: `x-envoy-*` of Envoy's HTTP router filter, `grpc-*` of the protocol description
//! of gRPC over HTTP/2 and of its proposal A6, `baggage` of the W3C, `Retry-After` of RFC 9110,
//! `RateLimit` and `Idempotency-Key` of the drafts of the IETF's HTTP API working group.

mod baggage;
mod grpc_timeout;
mod idempotency;
mod incoming;
mod names;
mod outgoing;
mod rate_limit;
mod retry_after;
mod status;

#[cfg(feature = "tower")]
mod client;
#[cfg(feature = "reqwest")]
mod reqwest;
#[cfg(feature = "tower")]
mod server;
#[cfg(feature = "tonic")]
mod tonic;

pub use grpc_timeout::{decode_grpc_timeout, encode_grpc_timeout};
pub use incoming::Incoming;
pub use outgoing::send_scope;
pub use retry_after::{parse_retry_after, retry_after};
pub use status::{BODY_LIMIT, StatusError, class_of_status};

#[cfg(feature = "reqwest")]
pub use self::reqwest::{HttpError, RequestExt, ResponseExt};
#[cfg(feature = "tonic")]
pub use self::tonic::SendScope;
#[cfg(feature = "tower")]
pub use client::{ClientLayer, ClientService};
#[cfg(feature = "tower")]
pub use server::{ServerLayer, ServerService, Serving};
