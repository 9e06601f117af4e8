//! One attempt: the body, polled within its scope, and cut when its time is over.

use super::progress::{Progress, Start};
use crate::downstream::{Permit, Refusal};
use crate::environment::Live;
use crate::error::Reason;
use crate::scope;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::task::coop::{Unconstrained, unconstrained};
use tokio::time::{Instant, Sleep, sleep_until};

/// How an attempt ended.
#[derive(Debug)]
pub enum Ended<R> {
    /// The body came to its end.
    Done(R),
    /// The body was cut by the attempt timeout or the deadline.
    TimedOut,
    /// The body was not run.
    NotStarted(Reason),
}

/// Waits for room at the downstream.
type Wait<'d> = Pin<Box<dyn Future<Output = Result<Permit<'d>, Refusal>> + Send + 'd>>;

pin_project_lite::pin_project! {
    /// The body is stored here, once, and not boxed; an `async fn` around it would store it twice.
    #[must_use = "an attempt does nothing until it is awaited"]
    pub struct Attempt<'r, 'd, B> {
        start: Start,
        progress: &'r mut Progress<'d>,
        #[pin]
        body: B,
        // Armed when the body first pends: a body that is ready at once costs no timer. Its polls
        // are free of tokio's cooperative budget, so that a body that uses it all up is cut too.
        #[pin]
        timer: Option<Unconstrained<Sleep>>,
        // Only where a limit of the downstream makes the attempt wait, and so allocated only then.
        wait: Option<Wait<'d>>,
    }
}

impl<'r, 'd, B> Attempt<'r, 'd, B> {
    pub(super) fn new(start: Start, progress: &'r mut Progress<'d>, body: B) -> Self {
        Self { start, progress, body, timer: None, wait: None }
    }
}

impl<B: Future> Future for Attempt<'_, '_, B> {
    type Output = Ended<B::Output>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        if let Start::Wait = *this.start {
            let wait = this.wait.get_or_insert_with(|| Box::pin(this.progress.room()));
            let Poll::Ready(room) = wait.as_mut().poll(cx) else { return Poll::Pending };
            *this.wait = None;
            *this.start = this.progress.start_in(room, &Live);
        }
        let limit = match *this.start {
            Start::Refused(reason) => return Poll::Ready(Ended::NotStarted(reason)),
            Start::Until(limit) => limit,
            Start::Wait => return Poll::Pending,
        };
        if let Poll::Ready(result) = poll_body(this.progress, this.body, cx) {
            return Poll::Ready(Ended::Done(result));
        }
        this.progress.note_wait();
        let Some(limit) = limit else { return Poll::Pending };
        poll_timer(this.timer.as_mut(), limit, cx).map(|()| Ended::TimedOut)
    }
}

/// Runs the body in its scope.
fn poll_body<B: Future>(
    progress: &mut Progress<'_>,
    body: Pin<&mut B>,
    cx: &mut Context<'_>,
) -> Poll<B::Output> {
    let running = Running(progress);
    let (scope, spans) = running.0.scope_and_spans();
    spans.within(|| scope::within(scope, || body.poll(cx)))
}

/// Is dropped while unwinding only if the body panics.
struct Running<'p, 'd>(&'p mut Progress<'d>);

impl Drop for Running<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.panicked();
        }
    }
}

fn poll_timer(
    mut timer: Pin<&mut Option<Unconstrained<Sleep>>>,
    limit: Instant,
    cx: &mut Context<'_>,
) -> Poll<()> {
    if timer.is_none() {
        timer.set(Some(unconstrained(sleep_until(limit))));
    }
    timer.as_pin_mut().map_or(Poll::Pending, |timer| timer.poll(cx))
}

impl<B> fmt::Debug for Attempt<'_, '_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt").field("start", &self.start).finish_non_exhaustive()
    }
}
