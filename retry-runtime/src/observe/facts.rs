//! What every event says of its call.

use super::EventKey;
use crate::policy::Policy;
use std::time::Duration;
use tokio::time::Instant;

/// The call that an event belongs to, and where it stands.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Facts<'e> {
    /// When it happened, by tokio's clock.
    pub at: Instant,
    /// The same number for everything that one request causes; see
    /// [`Scope::root_id`](crate::Scope::root_id).
    pub root_id: u64,
    /// A number of this one call, from 1 in the order in which observed calls begin.
    pub call_id: u64,
    /// The name of the annotated function.
    pub call: &'e str,
    /// The rules of the call.
    pub policy: &'e Policy,
    /// The name of the downstream: that of the function where the attribute names none.
    pub downstream: &'e str,
    /// The number of the attempt that started last; 0 before the first.
    pub attempt: u32,
    /// Whether the call owns the retries of its request.
    pub owner: bool,
    /// From the event to the deadline of the call; [`Duration::MAX`] where there is none.
    pub time_left: Duration,
    /// The idempotency key that all attempts of the call carry, or its hash.
    pub key: Option<EventKey<'e>>,
}
