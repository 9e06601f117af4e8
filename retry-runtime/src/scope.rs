//! What travels with a request: root id, deadline, attempt, owner of the retries, key.

use crate::deadline::Deadline;
use crate::key::IdempotencyKey;
use crate::observe::Watch;
use std::cell::Cell;
use std::time::Duration;
use tokio::time::Instant;

/// What an attempt hands to everything that runs inside it in the same task.
///
/// Another annotated call inside it ends by the same deadline, and leaves the retries to the call
/// that owns them. It holds within one task: work that the body spawns starts without a scope.
///
/// ```
/// assert!(retry_runtime::Scope::current().is_none(), "no attempt runs here");
/// ```
#[derive(Clone, Debug)]
pub struct Scope {
    /// Zero until somebody asks; see [`Scope::root_id`].
    root: u64,
    deadline: Deadline,
    attempt: u32,
    /// Some enclosing call retries, so calls inside must not.
    owned: bool,
    /// Some enclosing call is in attempt 2 or later.
    repeated: bool,
    key: Option<IdempotencyKey>,
    watch: Watch,
}

thread_local! {
    /// The scope of the attempt that is being polled on this thread.
    static CURRENT: Cell<Option<Scope>> = const { Cell::new(None) };
}

impl Scope {
    /// The scope of the attempt that runs this code, or none outside an annotated call.
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

    /// The number of the attempt that runs this code; the first is 1.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Whether an enclosing call owns the retries, so that calls made here run one attempt.
    #[must_use]
    pub fn has_owner(&self) -> bool {
        self.owned
    }

    /// The idempotency key of the innermost keyed call.
    #[must_use]
    pub fn key(&self) -> Option<&IdempotencyKey> {
        self.key.as_ref()
    }

    /// The scope for the attempts of a call that begins now, inside the current one if there is one.
    pub(crate) fn inherit() -> Self {
        let outer = Self::current();
        outer.map_or(
            Self {
                root: 0,
                deadline: Deadline::NEVER,
                attempt: 0,
                owned: false,
                repeated: false,
                key: None,
                watch: Watch::default(),
            },
            |outer| Self { repeated: outer.repeated || outer.attempt > 1, attempt: 0, ..outer },
        )
    }

    pub(crate) fn is_repeated(&self) -> bool {
        self.repeated
    }

    pub(crate) fn limit_by(&mut self, deadline: Deadline) {
        self.deadline = self.deadline.earliest(deadline);
    }

    pub(crate) fn end(&self) -> Deadline {
        self.deadline
    }

    pub(crate) fn own(&mut self) {
        self.owned = true;
    }

    pub(crate) fn set_key(&mut self, key: IdempotencyKey) {
        self.key = Some(key);
    }

    pub(crate) fn set_attempt(&mut self, attempt: u32) {
        self.attempt = attempt;
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
    fn identify(&mut self) {
        while self.root == 0 {
            self.root = rand::random();
        }
    }
}

/// Puts `scope` in force, and what was in force in its place. Called again, it undoes that.
///
/// While a thread ends its locals are gone: then nothing is in force, and nothing is lost.
pub(crate) fn swap(scope: &mut Option<Scope>) {
    let _ = CURRENT.try_with(|current| {
        let before = current.replace(scope.take());
        *scope = before;
    });
}

pub(crate) fn with_current<T>(read: impl FnOnce(&mut Scope) -> T) -> Option<T> {
    CURRENT
        .try_with(|current| {
            let mut scope = current.take()?;
            let result = read(&mut scope);
            current.set(Some(scope));
            Some(result)
        })
        .ok()
        .flatten()
}
