//! What waits in the queue: an event for a subscriber, and the scope in which it is delivered.

use crate::options::Order;
use retry_runtime::Scope;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    /// Known to the subscriber, who takes an event that comes twice for one.
    pub(crate) event: String,
    /// Where the subscriber listens.
    pub(crate) url: String,
    pub(crate) text: String,
    /// The subscriber does not know its events, so that one must not come twice.
    pub(crate) once: bool,
    /// By when it has to be delivered, in how many attempts, and how many of them were started.
    pub(crate) scope: Scope,
}

impl Job {
    /// A new job starts anew: with a root id of its own, all of its time, and no attempt spent.
    pub(crate) fn of(order: Order) -> Self {
        let Order { event, url, text, once, attempts, deadline } = order;
        let scope = Scope::root(Instant::now() + deadline).max_attempts(attempts);
        Self { event, url, text, once, scope }
    }
}
