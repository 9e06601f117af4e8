//! What travels with a request: root id, deadline, attempts, owner of the retries, key.

mod current;
mod extra;
mod facts;
#[cfg(feature = "serde")]
mod file;
mod in_scope;
mod retries;
#[cfg(any(feature = "http", feature = "serde"))]
pub(crate) mod root;
mod standing;

pub(crate) use current::{close, current_key, note_write, open, within};
pub use in_scope::{InScope, Scoped, in_scope};
pub(crate) use standing::Standing;

use crate::key::IdempotencyKey;
use crate::observe::{Recorder, Watch};
use crate::time::Time;
use current::with_current;
use facts::Fact;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What a request carries: by when it ends, how often it was attempted, and who retries it.
///
/// An attempt hands its scope to everything that runs inside it in the same task. Another annotated
/// call in there ends by the same deadline, and leaves the retries to the call that owns them.
///
/// A task starts without a scope: [`InScope::in_scope`] and [`in_scope`] take it along. Other
/// processes start without one, too: the features `tower`, `reqwest` and `tonic` send it along, and
/// with `serde` it waits in a queue.
///
/// ```
/// use retry_runtime::{InScope, Scope};
/// use std::time::Duration;
/// use tokio::time::Instant;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// assert!(Scope::current().is_none(), "no attempt runs here");
///
/// let request = Scope::root(Instant::now() + Duration::from_secs(1));
/// let left = async { Scope::current().map(|scope| scope.time_left()) };
/// assert!(left.with_scope(request).await.unwrap() <= Duration::from_secs(1));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Scope {
    standing: Standing,
    key: Option<IdempotencyKey>,
    /// The date that the deadline was read from, so that it stays the same from file to file.
    #[cfg(feature = "serde")]
    dated: Option<file::Dated>,
}

impl Scope {
    const fn of(standing: Standing) -> Self {
        Self {
            standing,
            key: None,
            #[cfg(feature = "serde")]
            dated: None,
        }
    }

    /// The scope of a new request that ends by this instant.
    #[must_use]
    pub fn root(deadline: Instant) -> Self {
        let mut scope = Self::of(Standing::NEW);
        scope.standing.end_at(deadline);
        scope.standing.identify();
        scope
    }

    /// The same with a limit on the attempts of the whole request, the first included.
    ///
    /// It holds beside the `max_attempts` of every call in the request. Without it, the limit is
    /// that of the first call that retries. A limit of zero is one attempt.
    #[must_use]
    pub fn max_attempts(mut self, max_attempts: u32) -> Self {
        self.standing.at.retries.limit(max_attempts.max(1));
        self
    }

    /// The same with the idempotency key of the request.
    #[must_use]
    pub fn idempotency_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(key);
        self.standing.at.facts.set(Fact::Keyed, false);
        self
    }

    /// The scope of the attempt that runs this code, or of the request; none outside of both.
    #[must_use]
    pub fn current() -> Option<Self> {
        let standing = with_current(|standing| {
            standing.identify();
            standing.clone()
        });
        standing.map(Self::around)
    }

    /// This standing with all else that is in force.
    fn around(standing: Standing) -> Self {
        Self {
            standing,
            key: current_key(),
            #[cfg(feature = "serde")]
            dated: current::current_date(),
        }
    }

    /// The same number for everything that one request causes, never zero.
    #[must_use]
    pub fn root_id(&self) -> u64 {
        self.standing.root
    }

    /// The instant at which the call that runs this code ends, whatever happens.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.standing.deadline().instant()
    }

    /// From now to the deadline; zero after it, [`Duration::MAX`] without one.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.standing.deadline().left(Time::of(Instant::now())).to_duration()
    }

    /// The instant at which the attempt that runs this code is cut: by its timeout, or by the
    /// deadline. A server that works for it need not work any longer.
    #[must_use]
    pub fn attempt_end(&self) -> Option<Instant> {
        self.standing.cut().instant()
    }

    /// The number of the attempt that runs this code; the first is 1. Zero outside of an attempt.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.standing.attempt()
    }

    /// The number of the attempt of the whole request that runs this code; the first is 1.
    ///
    /// In the third attempt of a call whose body makes another call for the first time it is 3.
    #[must_use]
    pub fn request_attempt(&self) -> u32 {
        self.standing.request_attempt()
    }

    /// Whether an enclosing call owns the retries, so that calls made here run one attempt.
    #[must_use]
    pub fn has_owner(&self) -> bool {
        self.standing.at.facts.has(Fact::Owned)
    }

    /// The idempotency key of the innermost keyed call, or of the request.
    #[must_use]
    pub fn key(&self) -> Option<&IdempotencyKey> {
        self.key.as_ref()
    }

    /// The idempotency key of the call that runs this code, if that very call is a keyed one: what
    /// its requests may be sent with.
    #[must_use]
    pub fn own_key(&self) -> Option<&IdempotencyKey> {
        self.key.as_ref().filter(|_| self.standing.at.facts.has(Fact::Keyed))
    }

    /// The scope of a request that came in from another process.
    #[cfg(feature = "http")]
    pub(crate) fn of_request(
        deadline: Option<Instant>,
        root: Option<u64>,
        previous_attempts: u32,
        owned: bool,
        limit: Option<u32>,
    ) -> Self {
        let mut standing = Standing::NEW;
        standing.at.facts.set(Fact::Owned, owned);
        if let Some(deadline) = deadline {
            standing.end_at(deadline);
        }
        standing.set_attempts_spent(previous_attempts);
        if let Some(limit) = limit {
            standing.at.retries.limit(limit);
        }
        standing.root = root.unwrap_or_default();
        standing.identify();
        Self::of(standing)
    }

    /// Who keeps what the calls in this scope do.
    pub(crate) fn recorder(&self) -> Option<&Arc<Recorder>> {
        self.standing.watch().and_then(Watch::recorder)
    }

    /// How many attempts the request may make, where something limits it.
    #[cfg(feature = "http")]
    pub(crate) fn attempt_limit(&self) -> Option<u32> {
        self.standing.at.retries.limited_to()
    }
}
