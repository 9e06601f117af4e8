//! What travels with a request: root id, deadline, attempts, owner of the retries, key.

mod current;
#[cfg(feature = "serde")]
mod file;
mod in_scope;
mod retries;
#[cfg(any(feature = "http", feature = "serde"))]
pub(crate) mod root;

pub(crate) use current::{with_current, within};
pub use in_scope::{InScope, Scoped, in_scope};

use crate::deadline::Deadline;
use crate::environment::random;
use crate::key::IdempotencyKey;
use crate::observe::Watch;
use retries::Retries;
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
    /// Zero until somebody asks; see [`Scope::root_id`].
    root: u64,
    deadline: Deadline,
    /// When the attempt that runs is cut, if that is earlier.
    cut: Deadline,
    attempt: u32,
    /// In which attempt of the request this call began, counted from 0.
    repeats: u32,
    retries: Retries,
    /// Some enclosing call retries, so calls inside must not.
    owned: bool,
    /// The key is one of this call, not of one around it.
    keyed: bool,
    /// Nothing is in force, for work that is to find nothing.
    absent: bool,
    key: Option<IdempotencyKey>,
    watch: Watch,
}

impl Scope {
    /// The scope of nothing: no deadline, nobody who retries.
    const EMPTY: Self = Self {
        root: 0,
        deadline: Deadline::NEVER,
        cut: Deadline::NEVER,
        attempt: 0,
        repeats: 0,
        retries: Retries::UNLIMITED,
        owned: false,
        keyed: false,
        absent: false,
        key: None,
        watch: Watch::NONE,
    };

    /// In its place there is nothing.
    const ABSENT: Self = Self { absent: true, ..Self::EMPTY };

    /// The scope of a new request that ends by this instant.
    #[must_use]
    pub fn root(deadline: Instant) -> Self {
        let mut scope = Self { deadline: Deadline::at(deadline), ..Self::EMPTY };
        scope.identify();
        scope
    }

    /// The same with a limit on the attempts of the whole request, the first included.
    ///
    /// It holds beside the `max_attempts` of every call in the request. Without it, the limit is
    /// that of the first call that retries. A limit of zero is one attempt.
    #[must_use]
    pub fn max_attempts(mut self, max_attempts: u32) -> Self {
        self.retries.limit(max_attempts.max(1));
        self
    }

    /// The same with the idempotency key of the request.
    #[must_use]
    pub fn idempotency_key(mut self, key: IdempotencyKey) -> Self {
        self.key = Some(key);
        self.keyed = false;
        self
    }

    /// The scope of the attempt that runs this code, or of the request; none outside of both.
    #[must_use]
    pub fn current() -> Option<Self> {
        with_current(|scope| {
            scope.identify();
            scope.clone()
        })
    }

    /// The same number for everything that one request causes, never zero.
    #[must_use]
    pub fn root_id(&self) -> u64 {
        self.root
    }

    /// The instant at which the call that runs this code ends, whatever happens.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.instant()
    }

    /// From now to the deadline; zero after it, [`Duration::MAX`] without one.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.deadline.time_left(Instant::now())
    }

    /// The instant at which the attempt that runs this code is cut: by its timeout, or by the
    /// deadline. A server that works for it need not work any longer.
    #[must_use]
    pub fn attempt_end(&self) -> Option<Instant> {
        self.deadline.earliest(self.cut).instant()
    }

    /// The number of the attempt that runs this code; the first is 1. Zero outside of an attempt.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The number of the attempt of the whole request that runs this code; the first is 1.
    ///
    /// In the third attempt of a call whose body makes another call for the first time it is 3.
    #[must_use]
    pub fn request_attempt(&self) -> u32 {
        self.repeats.saturating_add(self.attempt.max(1))
    }

    /// Whether an enclosing call owns the retries, so that calls made here run one attempt.
    #[must_use]
    pub fn has_owner(&self) -> bool {
        self.owned
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
        self.key.as_ref().filter(|_| self.keyed)
    }

    /// The scope for the attempts of a call that begins now, inside the current one if there is one.
    pub(crate) fn inherit() -> Self {
        let Some(mut outer) = Self::current() else { return Self::EMPTY };
        outer.retries.inherit();
        Self { repeats: outer.repeats_inside(), attempt: 0, keyed: false, ..outer }
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
        let mut scope = Self { owned, root: root.unwrap_or_default(), ..Self::EMPTY };
        scope.deadline = deadline.map_or(Deadline::NEVER, Deadline::at);
        scope.set_attempts_spent(previous_attempts);
        if let Some(limit) = limit {
            scope.retries.limit(limit);
        }
        scope.identify();
        scope
    }

    /// How many attempts the request may make, where something limits it.
    #[cfg(feature = "http")]
    pub(crate) fn attempt_limit(&self) -> Option<u32> {
        self.retries.limited_to()
    }

    /// How many attempts of the request were started, the one that runs included.
    #[cfg(feature = "serde")]
    fn attempts_spent(&self) -> u32 {
        self.retries.spent().saturating_add(u32::from(self.attempt > 0))
    }

    /// So many attempts of the request were started before this one.
    #[cfg(any(feature = "http", feature = "serde"))]
    fn set_attempts_spent(&mut self, attempts: u32) {
        self.repeats = attempts;
        self.retries.set_spent(attempts);
    }

    /// How often the request was attempted before the attempt that runs.
    fn repeats_inside(&self) -> u32 {
        self.request_attempt() - 1
    }

    pub(crate) fn is_repeated(&self) -> bool {
        self.repeats > 0
    }

    pub(crate) fn limit_by(&mut self, deadline: Deadline) {
        self.deadline = self.deadline.earliest(deadline);
    }

    pub(crate) fn end(&self) -> Deadline {
        self.deadline
    }

    /// The call retries: calls inside it do not, and what it may spend bounds them, too.
    pub(crate) fn own(&mut self, max_attempts: u32) {
        self.owned = true;
        self.retries.limit_once(max_attempts);
    }

    /// Whether the request may be attempted at all; a job that was put back may have no attempt left.
    pub(crate) fn has_attempts_left(&self) -> bool {
        self.retries.has_attempts_left()
    }

    /// How many retries the request may still make.
    pub(crate) fn retries_left(&mut self) -> u32 {
        self.join_outer();
        self.retries.left()
    }

    /// A retry starts, if there is one left.
    pub(crate) fn spend_retry(&mut self) -> bool {
        self.join_outer();
        let left = self.retries.spend();
        self.join_outer();
        left
    }

    /// What this call and the one around it have spent of the same limit, both of them know.
    #[inline]
    fn join_outer(&mut self) {
        if self.retries.is_inherited() {
            self.join_current();
        }
    }

    fn join_current(&mut self) {
        with_current(|outer| {
            if self.root == outer.root {
                self.retries.join(&mut outer.retries);
            }
        });
    }

    pub(crate) fn set_key(&mut self, key: IdempotencyKey) {
        self.key = Some(key);
        self.keyed = true;
    }

    /// An attempt starts that is cut at this instant.
    pub(crate) fn set_attempt(&mut self, attempt: u32, cut: Deadline) {
        self.attempt = attempt;
        self.cut = cut;
    }

    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// An observed call begins, whose attempts get this scope. Gives the one around it.
    pub(crate) fn begin_observed(&mut self) -> Option<u64> {
        self.identify();
        self.watch.begin_call()
    }

    /// Draws the root id when it is first needed: a call that succeeds alone never pays for it.
    pub(crate) fn identify(&mut self) {
        while self.root == 0 {
            self.root = random();
        }
    }
}
