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

/// What a scope carries for those who observe.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// The innermost observed call.
    call: Option<NonZeroU64>,
    /// The key that is in force there.
    key: Option<IdempotencyKey>,
    /// Keeps what the calls in this scope do.
    recorder: Option<Arc<Recorder>>,
}

static LAST_CALL: AtomicU64 = AtomicU64::new(0);

impl Watch {
    pub(crate) const NONE: Self = Self { call: None, key: None, recorder: None };

    /// An observed call begins. Gives the one around it.
    pub(crate) fn begin_call(&mut self, key: Option<IdempotencyKey>) -> Option<u64> {
        let around = self.call();
        self.call = NonZeroU64::new(LAST_CALL.fetch_add(1, Relaxed).wrapping_add(1));
        self.key = key;
        around
    }

    pub(crate) fn record(&mut self, recorder: Arc<Recorder>) {
        self.recorder = Some(recorder);
    }

    pub(crate) fn recorder(&self) -> Option<&Arc<Recorder>> {
        self.recorder.as_ref()
    }

    fn call(&self) -> Option<u64> {
        self.call.map(NonZeroU64::get)
    }
}

/// Whether anybody hears of the calls in a scope, beside the observer of their downstream.
pub(crate) fn is_heard(watch: Option<&Watch>) -> bool {
    let recorder = watch.and_then(Watch::recorder);
    Spans::are_wanted() || recorder.is_some() || observer::global().is_some()
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
        if let Some(recorder) = self.standing.watch().and_then(Watch::recorder) {
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
        let key = watch.and_then(|watch| watch.key.as_ref());
        Facts {
            at: now.instant(),
            root_id: standing.root_id(),
            call_id: watch.and_then(Watch::call).unwrap_or_default(),
            call: self.call.name(),
            policy: self.call.policy(),
            downstream: self.downstream.name(),
            attempt: self.attempt,
            owner: self.owner,
            time_left: standing.deadline().left(now.time).to_duration(),
            key: key.map(|key| EventKey::of(key, self.downstream.hashes_keys())),
        }
    }
}
