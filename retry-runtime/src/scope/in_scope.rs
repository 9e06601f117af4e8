//! Taking a scope along: into another task, or onto a thread that blocks.

use super::{Scope, Standing, with_current, within};
use crate::key::IdempotencyKey;
use crate::observe::Recorder;
use pin_project_lite::pin_project;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Takes the scope of a request along into a task of its own.
///
/// A spawned task starts without a scope: annotated calls in it retry on their own, with a deadline
/// of their own, so that layers multiply again. With the scope they end by the deadline of the
/// request, leave the retries to the call that owns them, and are counted with it.
///
/// It is dropped with the task and not before: a deadline ends the annotated calls in it, not other
/// work.
///
/// ```
/// use retry_runtime::{InScope, Policy, Reason, Scope, retry};
/// use std::time::Duration;
///
/// const THREE: Policy = Policy::fixed(Duration::from_millis(1)).deadline(Duration::from_secs(1));
///
/// #[retry(policy = THREE, idempotent, allow(spawn_in_body = "awaited at once"))]
/// async fn outer() -> std::io::Result<Option<u32>> {
///     let inside = tokio::spawn(async { Scope::current().map(|scope| scope.attempt()) }.in_scope());
///     Ok(inside.await?)
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// assert_eq!(outer().await.unwrap(), Some(1));
/// # }
/// ```
pub trait InScope: Future + Sized {
    /// The same future in the scope in which this method is called.
    #[must_use = "futures do nothing unless they are awaited"]
    fn in_scope(self) -> Scoped<Self> {
        Scoped { scope: Scope::fork(), work: self }
    }

    /// The same future in this scope.
    #[must_use = "futures do nothing unless they are awaited"]
    fn with_scope(self, scope: Scope) -> Scoped<Self> {
        Scoped { scope, work: self }
    }
}

impl<F: Future> InScope for F {}

pin_project! {
    /// A future in a scope; see [`InScope`].
    pub struct Scoped<F> {
        scope: Scope,
        #[pin]
        work: F,
    }
}

impl<F: Future> Future for Scoped<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.project();
        this.scope.in_force(|| this.work.poll(cx))
    }
}

impl<F> fmt::Debug for Scoped<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scoped").field("scope", &self.scope).finish_non_exhaustive()
    }
}

/// The same work in the scope in which this function is called, for
/// [`spawn_blocking`](tokio::task::spawn_blocking) and for threads.
///
/// ```
/// use retry_runtime::{InScope, Scope, in_scope};
/// use std::time::Duration;
/// use tokio::time::Instant;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let root = Scope::root(Instant::now() + Duration::from_secs(1));
/// let id = root.root_id();
/// let seen = async {
///     let work = || Scope::current().map(|scope| scope.root_id());
///     tokio::task::spawn_blocking(in_scope(work)).await
/// };
/// assert_eq!(seen.with_scope(root).await.unwrap(), Some(id));
/// # }
/// ```
pub fn in_scope<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let mut scope = Scope::fork();
    move || scope.in_force(work)
}

impl Scope {
    /// The current scope for a second task: what either spends counts for both.
    fn fork() -> Self {
        let standing = with_current(|standing| {
            standing.identify();
            standing.share();
            standing.clone()
        });
        standing.map_or(Self::of(Standing::ABSENT), Self::around)
    }

    /// The current scope, or one of a new request, for calls that are recorded.
    pub(crate) fn recorded(recorder: Arc<Recorder>) -> Self {
        let mut scope = Self::fork();
        scope.standing.record(recorder);
        scope
    }

    /// Runs something in this scope, and in nothing of the one that is in force.
    fn in_force<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let key = Some(self.key.as_ref().unwrap_or(&IdempotencyKey::ABSENT));
        let standing = &mut self.standing;
        #[cfg(feature = "serde")]
        if let Some(dated) = &self.dated {
            return super::current::dated(dated, || within(standing, key, run));
        }
        within(standing, key, run)
    }
}
