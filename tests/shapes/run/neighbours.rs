//! `#[tracing::instrument]` on both sides of the attribute, and a cache.

use crate::shapes::neighbours::behind_a_cache;
use kit::{E, P, calls, down, retry, script};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, instrument};

/// Counts spans of `#[instrument]`. The runtime has its own where a build of the whole workspace turns its
/// feature `tracing` on.
#[derive(Clone, Default)]
struct Spans(Arc<AtomicU64>);

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() != "retry_runtime"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(self.0.fetch_add(1, Relaxed) + 1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[retry(policy = P, idempotent)]
#[instrument]
async fn span_for_a_call(id: u32, name: String) -> Result<u32, E> {
    down(id + u32::try_from(name.len()).unwrap()).await
}

// What is above runs first, and moves the arguments into a future of its own: each attempt needs
// its own clone of those that are not `Copy`.
#[instrument]
#[retry(policy = P, idempotent, clone(name))]
async fn span_for_an_attempt(id: u32, name: String) -> Result<u32, E> {
    down(id + u32::try_from(name.len()).unwrap()).await
}

#[tokio::test(start_paused = true)]
async fn instrument_below_makes_one_span_a_call() {
    let spans = Spans::default();
    let _guard = tracing::subscriber::set_default(spans.clone());
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(span_for_a_call(1, "ab".to_owned()).await, Ok(7));
    assert_eq!((calls(), spans.0.load(Relaxed)), (vec![3, 3, 3], 1));
}

#[tokio::test(start_paused = true)]
async fn instrument_above_makes_one_span_an_attempt() {
    let spans = Spans::default();
    let _guard = tracing::subscriber::set_default(spans.clone());
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(span_for_an_attempt(1, "ab".to_owned()).await, Ok(7));
    assert_eq!((calls(), spans.0.load(Relaxed)), (vec![3, 3, 3], 3));
}

#[tokio::test(start_paused = true)]
async fn a_cache_in_front_keeps_what_the_retries_got() {
    let cache = tokio::sync::Mutex::default();
    script([Err(E(1)), Err(E(2)), Ok(7)]);
    assert_eq!(behind_a_cache(&cache, 1).await, Ok(7));
    assert_eq!(behind_a_cache(&cache, 1).await, Ok(7));
    assert_eq!(calls(), [1, 1, 1]);
}
