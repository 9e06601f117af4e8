//! One observed call: what its events are made of.

use super::record::Recorder;
use super::spans::Spans;
use super::{Event, EventKey, Facts, observer};
use crate::call::Call;
use crate::downstream::Downstream;
use crate::scope::Scope;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use tokio::time::Instant;

/// What a scope carries for those who observe.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    /// The innermost observed call.
    call: Option<NonZeroU64>,
    /// Keeps what the calls in this scope do.
    recorder: Option<Arc<Recorder>>,
}

static LAST_CALL: AtomicU64 = AtomicU64::new(0);

impl Watch {
    pub(crate) const NONE: Self = Self(None);

    pub(crate) fn record(&mut self, recorder: Arc<Recorder>) {
        let watched = Watched { recorder: Some(recorder), call: self.call() };
        self.0 = Some(Arc::new(watched));
    }

    pub(super) fn recorder(&self) -> Option<&Arc<Recorder>> {
        self.0.as_deref().and_then(|watched| watched.recorder.as_ref())
    }

    fn call(&self) -> Option<NonZeroU64> {
        self.0.as_deref().and_then(|watched| watched.call)
    }

    /// Whether anybody hears of calls in this scope, beside the observer of their downstream.
    pub(crate) fn is_heard(&self) -> bool {
        Spans::are_wanted() || self.recorder().is_some() || observer::global().is_some()
    }

    /// An observed call begins. Gives the one around it.
    pub(crate) fn begin_call(&mut self) -> Option<u64> {
        let parent = self.call();
        let call = NonZeroU64::new(LAST_CALL.fetch_add(1, Relaxed).wrapping_add(1));
        self.0 = Some(Arc::new(Watched { call, recorder: self.recorder().cloned() }));
        parent.map(NonZeroU64::get)
    }
}

/// An observed call, as it stands when something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness<'e> {
    pub(crate) call: &'e Call,
    pub(crate) downstream: &'e Downstream,
    pub(crate) attempt: u32,
    pub(crate) owner: bool,
    pub(crate) scope: &'e Scope,
    pub(crate) spans: &'e Spans,
}

impl<'e> Witness<'e> {
    /// Tells everybody who listens.
    #[cold]
    pub(crate) fn tell(&self, now: Instant, event: &Event<'_>) {
        let facts = self.facts(now);
        if let Some(recorder) = self.scope.watch().recorder() {
            recorder.observe(event, &facts);
        }
        self.spans.tell(event, &facts);
        if let Some(observer) = self.downstream.own_observer() {
            observer.observe(event, &facts);
        }
        if let Some(observer) = observer::global() {
            observer.observe(event, &facts);
        }
    }

    pub(crate) fn facts(&self, now: Instant) -> Facts<'e> {
        let scope = self.scope;
        let key = scope.key();
        Facts {
            at: now,
            root_id: scope.root_id(),
            call_id: scope.watch().call().map_or(0, NonZeroU64::get),
            call: self.call.name(),
            policy: self.call.policy(),
            downstream: self.downstream.name(),
            attempt: self.attempt,
            owner: self.owner,
            time_left: scope.end().time_left(now),
            key: key.map(|key| EventKey::of(key, self.downstream.hashes_keys())),
        }
    }
}
