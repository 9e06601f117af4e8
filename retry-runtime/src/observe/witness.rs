//! One observed call: what its events are made of.

use super::record::Recorder;
use super::spans::Spans;
use super::{Event, EventKey, Facts, observer};
use crate::call::Call;
use crate::downstream::Downstream;
use crate::key::IdempotencyKey;
use crate::scope::Standing;
use crate::time::Now;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// What a scope carries for those who observe. Nothing where nobody does, so that the others need
/// not hold it while they wait.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    /// The innermost observed call.
    call: Option<NonZeroU64>,
    /// The key that is in force there.
    key: Option<IdempotencyKey>,
    /// Keeps what the calls in this scope do.
    recorder: Option<Arc<Recorder>>,
}

static LAST_CALL: AtomicU64 = AtomicU64::new(0);

impl Watch {
    pub(crate) const NONE: Self = Self(None);

    /// An observed call begins. Gives the one around it.
    pub(crate) fn begin_call(&mut self, key: Option<IdempotencyKey>) -> Option<u64> {
        let around = self.call();
        let call = NonZeroU64::new(LAST_CALL.fetch_add(1, Relaxed).wrapping_add(1));
        let recorder = self.recorder().cloned();
        self.0 = Some(Arc::new(Watched { call, key, recorder }));
        around
    }

    pub(crate) fn record(&mut self, recorder: Arc<Recorder>) {
        let (call, key) = self.0.as_ref().map_or((None, None), |w| (w.call, w.key.clone()));
        self.0 = Some(Arc::new(Watched { call, key, recorder: Some(recorder) }));
    }

    #[inline]
    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn recorder(&self) -> Option<&Arc<Recorder>> {
        self.0.as_deref().and_then(|watched| watched.recorder.as_ref())
    }

    /// Whether anybody hears of calls in this scope, beside the observer of their downstream.
    pub(crate) fn is_heard(&self) -> bool {
        Spans::are_wanted() || self.recorder().is_some() || observer::global().is_some()
    }

    fn call(&self) -> Option<u64> {
        self.0.as_ref().and_then(|watched| watched.call).map(NonZeroU64::get)
    }

    fn key(&self) -> Option<&IdempotencyKey> {
        self.0.as_ref().and_then(|watched| watched.key.as_ref())
    }
}

/// An observed call, as it stands when something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness<'e> {
    pub(crate) call: &'e Call,
    pub(crate) downstream: &'e Downstream,
    pub(crate) attempt: u32,
    pub(crate) owner: bool,
    pub(crate) standing: &'e Standing,
    pub(crate) spans: &'e Spans,
}

impl<'e> Witness<'e> {
    /// Tells everybody who listens.
    #[cold]
    pub(crate) fn tell(&self, now: Now, event: &Event<'_>) {
        let facts = self.facts(now);
        if let Some(recorder) = self.standing.watch().recorder() {
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

    pub(crate) fn facts(&self, now: Now) -> Facts<'e> {
        let (standing, watch) = (self.standing, self.standing.watch());
        Facts {
            at: now.instant(),
            root_id: standing.root_id(),
            call_id: watch.call().unwrap_or_default(),
            call: self.call.name(),
            policy: self.call.policy(),
            downstream: self.downstream.name(),
            attempt: self.attempt,
            owner: self.owner,
            time_left: standing.deadline().left(now.time),
            key: watch.key().map(|key| EventKey::of(key, self.downstream.hashes_keys())),
        }
    }
}
