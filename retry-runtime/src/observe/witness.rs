//! One observed call: what its events are made of.

use super::record::Recorder;
use super::{Event, EventKey, Facts, observer};
use crate::call::Call;
use crate::downstream::Downstream;
use crate::scope::Scope;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::time::Instant;

/// What a scope carries for those who observe.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// The innermost observed call.
    call: Option<NonZeroU64>,
    /// Keeps what the calls in this scope do.
    recorder: Option<Arc<Recorder>>,
}

static LAST_CALL: AtomicU64 = AtomicU64::new(0);

impl Watch {
    pub(crate) const NONE: Self = Self { call: None, recorder: None };

    pub(crate) fn record(&mut self, recorder: Arc<Recorder>) {
        self.recorder = Some(recorder);
    }

    pub(super) fn recorder(&self) -> Option<Arc<Recorder>> {
        self.recorder.clone()
    }

    /// Whether anybody hears of calls in this scope, beside the observer of their downstream.
    pub(crate) fn is_heard(&self) -> bool {
        self.recorder.is_some() || observer::global().is_some()
    }

    /// An observed call begins. Gives the one around it.
    pub(crate) fn begin_call(&mut self) -> Option<u64> {
        let id = NonZeroU64::new(LAST_CALL.fetch_add(1, Relaxed).wrapping_add(1));
        std::mem::replace(&mut self.call, id).map(NonZeroU64::get)
    }
}

/// An observed call, as it stands when something happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness<'e> {
    pub(crate) call: &'e Call,
    pub(crate) downstream: &'e Downstream,
    pub(crate) attempt: u32,
    pub(crate) owner: bool,
    pub(crate) scope: Option<&'e Scope>,
}

impl Witness<'_> {
    /// Tells everybody who listens.
    #[cold]
    pub(crate) fn tell(&self, now: Instant, event: &Event<'_>) {
        let facts = self.facts(now);
        if let Some(recorder) = self.scope.and_then(|scope| scope.watch().recorder.as_ref()) {
            recorder.observe(event, &facts);
        }
        if let Some(observer) = self.downstream.own_observer() {
            observer.observe(event, &facts);
        }
        if let Some(observer) = observer::global() {
            observer.observe(event, &facts);
        }
    }

    fn facts(&self, now: Instant) -> Facts<'_> {
        let scope = self.scope;
        let key = scope.and_then(Scope::key);
        Facts {
            at: now,
            root_id: scope.map_or(0, Scope::root_id),
            call_id: scope.and_then(|scope| scope.watch().call).map_or(0, NonZeroU64::get),
            call: self.call.name(),
            policy: self.call.policy(),
            downstream: self.downstream.name(),
            attempt: self.attempt,
            owner: self.owner,
            time_left: scope.map_or(Duration::MAX, |scope| scope.end().time_left(now)),
            key: key.map(|key| EventKey::of(key, self.downstream.hashes_keys())),
        }
    }
}
