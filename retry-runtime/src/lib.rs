//! Retries that are safe by construction, for async functions that call another service.
//!
//! Three decisions belong to the caller of a service: how long to wait, whether to call again, and
//! how long to pause first. [`macro@retry`] writes them into the function as a loop that a person
//! can read with `cargo expand`, and refuses to compile what would charge a customer twice or turn a
//! blip into an outage.
//!
//! ```
//! use std::time::Duration;
//! use retry_runtime::{Classify, Policy, retry};
//!
//! const QUOTES: Policy = Policy::exponential(Duration::from_millis(50), Duration::from_secs(1))
//!     .max_attempts(3)
//!     .attempt_timeout(Duration::from_millis(180))
//!     .deadline(Duration::from_millis(800));
//!
//! #[derive(Debug, Classify)]
//! enum QuoteError {
//!     #[classify(transient)]
//!     Unreachable,
//!     #[classify(permanent)]
//!     UnknownSymbol,
//! }
//!
//! #[retry(policy = QUOTES, idempotent)]
//! async fn quote(symbol: &str) -> Result<u64, retry_runtime::Error<QuoteError>> {
//!     if symbol.is_empty() {
//!         return Err(QuoteError::UnknownSymbol);
//!     }
//!     Ok(42)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! assert_eq!(quote("ACME").await.unwrap(), 42);
//! let error = quote("").await.unwrap_err();
//! assert_eq!(error.reason(), retry_runtime::Reason::NotRetryable);
//! assert_eq!(error.attempts(), 1);
//! # }
//! ```
//!
//! # Where to look
//!
//! | question | place |
//! |---|---|
//! | how often, how long, how far apart | [`Policy`], [`Jitter`] |
//! | what may be tried again | [`Classify`], [`Class`] |
//! | why it stopped, and what is known of a write | [`Error`], [`Stopped`], [`Reason`], [`Outcome`] |
//! | what all calls to one dependency share | [`Downstream`], [`Budget`], [`Breaker`], [`RateLimit`], [`ConcurrencyLimit`] |
//! | what a request carries from call to call | [`Scope`], [`IdempotencyKey`] |
//! | how it goes into tasks and onto threads | [`InScope`], [`in_scope`] |
//! | what happens after an attempt | [`decide`] |
//! | what a call does, event by event | [`observe`] |
//! | what a call did, recorded and replayed | [`record`], [`Trace`] |
#![cfg_attr(
    feature = "http",
    doc = "| what services tell each other in headers, and what a response says | [`wire`] |"
)]
#![cfg_attr(
    feature = "storm",
    doc = "| what a policy does to a downstream that fails | [`storm`] |"
)]
#![cfg_attr(feature = "testing", doc = "| how to test code that calls | [`testing`] |")]
#![forbid(unsafe_code)]

mod backoff;
mod call;
pub mod classify;
pub mod decide;
mod downstream;
mod environment;
mod error;
mod key;
#[cfg(feature = "serde")]
mod nanos;
pub mod observe;
mod policy;
mod scope;
#[cfg(feature = "storm")]
pub mod storm;
#[cfg(feature = "testing")]
pub mod testing;
mod time;
#[cfg(any(feature = "http", feature = "serde"))]
mod wall;
#[cfg(feature = "http")]
pub mod wire;

#[doc(hidden)]
pub mod __private;

pub use backoff::Jitter;
pub use call::Reconciled;
pub use classify::{Class, Classify, Delivery};
pub use downstream::{
    AsDownstream, Breaker, BreakerError, Budget, BudgetError, ConcurrencyLimit, Downstream,
    Downstreams, LimitError, RateLimit,
};
pub use error::{Error, FromStopped, Outcome, Reason, Stopped};
pub use key::{IdempotencyKey, InvalidKey, ToIdempotencyKey, idempotency_key};
pub use observe::{Trace, record};
pub use policy::{AdaptiveTimeout, Allow, Policy, PolicyError};
pub use scope::{InScope, Scope, Scoped, in_scope};

#[cfg(feature = "macros")]
pub use retry_macros::Classify;

#[cfg(feature = "macros")]
#[doc = include_str!("../doc/retry.md")]
pub use retry_macros::retry;
