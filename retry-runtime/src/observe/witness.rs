//! One observed call: what its events are made of.

use super::{Event, EventKey, Facts, observer};
use crate::call::Call;
use crate::downstream::Downstream;
use crate::key::IdempotencyKey;
use crate::scope::Standing;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use tokio::time::Instant;

/// What a scope carries for those who observe. Nothing where nobody does, so that the others need
/// not hold it while they wait.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    /// The innermost observed call.
    call: NonZeroU64,
    /// The key that is in force there.
    key: Option<IdempotencyKey>,
}

static LAST_CALL: AtomicU64 = AtomicU64::new(0);

impl Watch {
    pub(crate) const NONE: Self = Self(None);

    /// An observed call begins. Gives the one around it.
    pub(crate) fn begin_call(&mut self, key: Option<IdempotencyKey>) -> Option<u64> {
        let around = self.call();
        let number = LAST_CALL.fetch_add(1, Relaxed).wrapping_add(1);
        self.0 = NonZeroU64::new(number).map(|call| Arc::new(Watched { call, key }));
        around
    }

    fn call(&self) -> Option<u64> {
        self.0.as_ref().map(|watched| watched.call.get())
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
}

impl Witness<'_> {
    /// Tells everybody who listens.
    #[cold]
    pub(crate) fn tell(&self, now: Instant, event: &Event<'_>) {
        let facts = self.facts(now);
        if let Some(observer) = self.downstream.own_observer() {
            observer.observe(event, &facts);
        }
        if let Some(observer) = observer::global() {
            observer.observe(event, &facts);
        }
    }

    fn facts(&self, now: Instant) -> Facts<'_> {
        let (standing, watch) = (self.standing, self.standing.watch());
        Facts {
            at: now,
            root_id: standing.root_id(),
            call_id: watch.call().unwrap_or_default(),
            call: self.call.name(),
            location: self.call.location(),
            policy: self.call.policy(),
            downstream: self.downstream.name(),
            attempt: self.attempt,
            owner: self.owner,
            time_left: standing.time_left_at(now),
            key: watch.key().map(|key| EventKey::of(key, self.downstream.hashes_keys())),
        }
    }
}
