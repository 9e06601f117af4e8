//! Recording all that the calls in one future do.

use super::observer::Listening;
use super::trace::{Entry, Trace};
use super::{Event, Facts};
use crate::scope::{InScope, Scope, Scoped};
use pin_project_lite::pin_project;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::time::Instant;

/// Runs a future, and gives all events of the annotated calls in it beside its output.
///
/// Calls belong to it that are made in the same task, at any depth, and those in tasks and threads
/// that take the scope along by [`InScope`]. All of them have one root id. What runs on when the
/// future ends is cut off there.
///
/// Recording takes a lock and allocates for every event. It changes nothing else about the calls.
///
/// # Cancel safety
///
/// Dropping it drops the future, and what was recorded.
///
/// ```
/// use retry_runtime::{Policy, record, retry};
/// use std::time::Duration;
///
/// const TWICE: Policy = Policy::fixed(Duration::from_millis(1))
///     .max_attempts(2)
///     .deadline(Duration::from_secs(1));
///
/// #[retry(policy = TWICE, idempotent)]
/// async fn read() -> std::io::Result<u32> {
///     Err(std::io::ErrorKind::ConnectionRefused.into())
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let (result, trace) = record(read()).await;
/// assert!(result.is_err());
/// // One decision to retry, and one to stop. The recorded draws lead to the same ones again.
/// assert_eq!(trace.replay(), Ok(2));
/// # }
/// ```
pub fn record<F: Future>(work: F) -> Record<F> {
    let recorder = Arc::new(Recorder {
        began: Instant::now(),
        entries: Mutex::default(),
        outer: Scope::current().and_then(|scope| scope.recorder().cloned()),
    });
    let scope = Scope::recorded(Arc::clone(&recorder));
    Record { work: work.with_scope(scope), recorder, listening: Listening::begin() }
}

pin_project! {
    /// A future that is recorded; see [`record`].
    #[must_use = "futures do nothing unless they are awaited"]
    pub struct Record<F> {
        #[pin]
        work: Scoped<F>,
        recorder: Arc<Recorder>,
        // While it lives calls look for a recorder in their scope.
        listening: Listening,
    }
}

impl<F: Future> Future for Record<F> {
    type Output = (F::Output, Trace);

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let output = ready!(this.work.poll(cx));
        Poll::Ready((output, this.recorder.take()))
    }
}

impl<F> fmt::Debug for Record<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("recorder", &self.recorder).finish_non_exhaustive()
    }
}

/// Keeps the events of one recording; calls find it in their scope.
pub(crate) struct Recorder {
    began: Instant,
    entries: Mutex<Vec<Entry>>,
    /// The recording in which this one was begun.
    outer: Option<Arc<Recorder>>,
}

impl Recorder {
    pub(super) fn observe(&self, event: &Event<'_>, facts: &Facts<'_>) {
        let entry = Entry::of(event, facts, self.began);
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        if let Some(outer) = &self.outer {
            outer.observe(event, facts);
        }
    }

    fn take(&self) -> Trace {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        Trace::new(self.began, std::mem::take(&mut entries))
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("began", &self.began).finish_non_exhaustive()
    }
}
