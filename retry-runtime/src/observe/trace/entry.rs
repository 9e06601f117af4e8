//! An event that is kept: the same without a borrow.

use super::happened::Happened;
use crate::key::IdempotencyKey;
use crate::observe::{Event, EventKey, Facts};
use crate::policy::Policy;
use std::time::Duration;
use tokio::time::Instant;

/// One event, and the facts of its call.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(in crate::observe) struct Entry {
    /// From the beginning of the trace.
    #[cfg_attr(feature = "serde", serde(rename = "at_ns", with = "crate::nanos"))]
    pub(super) at: Duration,
    #[cfg_attr(feature = "serde", serde(with = "super::hex"))]
    pub(super) root: u64,
    pub(super) id: u64,
    pub(super) call: String,
    pub(super) downstream: String,
    pub(super) attempt: u32,
    pub(super) owner: bool,
    /// None where there is no deadline.
    #[cfg_attr(feature = "serde", serde(rename = "time_left_ns", with = "crate::nanos::option"))]
    pub(super) time_left: Option<Duration>,
    pub(super) key: Option<Key>,
    pub(super) event: Happened,
    /// Only while it is written or read; see [`Trace::to_json_lines`](super::Trace::to_json_lines).
    #[cfg(feature = "serde")]
    #[serde(default, skip_serializing_if = "Option::is_none", with = "super::hex::option")]
    pub(super) check: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(super) enum Key {
    Plain(IdempotencyKey),
    Hashed(#[cfg_attr(feature = "serde", serde(with = "super::hex"))] u64),
}

impl Entry {
    /// An event of a trace that began at this instant.
    pub(in crate::observe) fn of(event: &Event<'_>, facts: &Facts<'_>, began: Instant) -> Self {
        Self {
            at: facts.at.saturating_duration_since(began),
            root: facts.root_id,
            id: facts.call_id,
            call: facts.call.to_owned(),
            downstream: facts.downstream.to_owned(),
            attempt: facts.attempt,
            owner: facts.owner,
            time_left: (facts.time_left != Duration::MAX).then_some(facts.time_left),
            key: facts.key.map(|key| match key {
                EventKey::Plain(key) => Key::Plain(key.clone()),
                EventKey::Hashed(hash) => Key::Hashed(hash),
            }),
            event: Happened::of(event, facts.policy),
            #[cfg(feature = "serde")]
            check: None,
        }
    }

    /// The facts again, of a trace that began at this instant.
    pub(super) fn facts<'e>(&'e self, policy: &'e Policy, began: Instant) -> Facts<'e> {
        Facts {
            at: began.checked_add(self.at).unwrap_or(began),
            root_id: self.root,
            call_id: self.id,
            call: &self.call,
            policy,
            downstream: &self.downstream,
            attempt: self.attempt,
            owner: self.owner,
            time_left: self.time_left.unwrap_or(Duration::MAX),
            key: self.key.as_ref().map(|key| match key {
                Key::Plain(key) => EventKey::Plain(key),
                Key::Hashed(hash) => EventKey::Hashed(*hash),
            }),
        }
    }
}
