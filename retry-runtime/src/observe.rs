//! What a call does while it does it: every attempt, decision and wait as an event with its reason.
//!
//! An [`Observer`] is told. One can be set for a downstream, by
//! [`Downstream::observer`](crate::Downstream::observer), and one for the whole process, by
//! [`set_global`]. Whether anybody listens is looked up when a call begins: where nobody does, it is
//! one relaxed load of a word that nobody writes.
//!
//! [`record`] keeps the events of one future as a [`Trace`], to be shown and replayed. With the
//! feature `tracing` calls are spans, and events go to its subscriber as well, at these levels:
//!
//! | level | what |
//! |---|---|
//! | `ERROR` | a call that owned its retries has given up |
//! | `WARN` | an attempt failed and is repeated; a budget is exhausted; a breaker opens; a body panicked |
//! | `INFO` | a breaker lets calls through again |
//! | `DEBUG` | all else, and the spans |
//!
//! With the feature `metrics` there is an observer that counts and measures, `Metrics`.
//!
//! ```
//! use retry_runtime::observe::{Event, Facts, Observer};
//! use retry_runtime::{Downstream, Policy, retry};
//! use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//! use std::time::Duration;
//!
//! /// Counts the retries.
//! struct Retries(AtomicU32);
//!
//! impl Observer for Retries {
//!     fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
//!         if matches!(event, Event::AttemptStarted { .. }) && facts.attempt > 1 {
//!             self.0.fetch_add(1, Relaxed);
//!         }
//!     }
//! }
//!
//! static RETRIES: Retries = Retries(AtomicU32::new(0));
//! static SEARCH: Downstream = Downstream::new("search").observer(&RETRIES);
//!
//! const TWICE: Policy = Policy::fixed(Duration::from_millis(1))
//!     .max_attempts(2)
//!     .deadline(Duration::from_secs(1));
//!
//! #[retry(policy = TWICE, downstream = SEARCH, idempotent)]
//! async fn search() -> Result<u32, retry_runtime::Error<std::io::Error>> {
//!     Err(std::io::ErrorKind::ConnectionRefused.into())
//! }
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! search().await.unwrap_err();
//! assert_eq!(RETRIES.0.load(Relaxed), 1);
//! # }
//! ```

mod event;
mod facts;
mod key;
#[cfg(feature = "tracing")]
mod log;
#[cfg(feature = "metrics")]
mod metrics;
mod observer;
mod record;
#[cfg_attr(not(feature = "tracing"), path = "observe/no_spans.rs")]
mod spans;
mod trace;
mod witness;

pub use crate::call::Limit;
pub use event::{Answer, AttemptEnd, BreakerState, CallEnd, Event, Place};
pub use facts::Facts;
pub use key::EventKey;
pub use observer::{AlreadySet, Observer, set_global};
pub use record::{Record, record};
pub use trace::{Difference, Trace};

#[cfg(feature = "metrics")]
pub use metrics::Metrics;
#[cfg(feature = "serde")]
pub use trace::TraceError;

pub(crate) use observer::{Watcher, anybody_listens};
pub(crate) use record::Recorder;
pub(crate) use spans::Spans;
pub(crate) use witness::{Watch, Witness, is_heard};
