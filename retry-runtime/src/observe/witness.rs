//! One observed call: what its events are made of.

use super::{Event, EventKey, Facts, observer};
use crate::call::Call;
use crate::downstream::Downstream;
use crate::scope::Scope;
use std::num::NonZeroU64;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use tokio::time::Instant;

/// What a scope carries for those who observe.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// The innermost observed call.
    call: Option<NonZeroU64>,
}

static LAST_CALL: AtomicU64 = AtomicU64::new(0);

impl Watch {
    pub(crate) const NONE: Self = Self { call: None };

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
    pub(crate) scope: &'e Scope,
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
        let scope = self.scope;
        let key = scope.key();
        Facts {
            at: now,
            root_id: scope.root_id(),
            call_id: scope.watch().call.map_or(0, NonZeroU64::get),
            call: self.call.name(),
            location: self.call.location(),
            policy: self.call.policy(),
            downstream: self.downstream.name(),
            attempt: self.attempt,
            owner: self.owner,
            time_left: scope.time_left_at(now),
            key: key.map(|key| EventKey::of(key, self.downstream.hashes_keys())),
        }
    }
}
