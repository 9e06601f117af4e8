//! One attempt: the body, polled within its scope, and cut when its time is over.

use super::progress::{Progress, Start};
use super::state::State;
use crate::downstream::{Permit, Refusal};
use crate::environment::Live;
use crate::error::Reason;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::{fmt, mem};
use tokio::task::coop::{Unconstrained, unconstrained};
use tokio::time::{Sleep, sleep_until};

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
        state: &'r mut State<'d>,
        #[pin]
        stage: Stage<'d>,
        #[pin]
        body: B,
    }
}

pin_project_lite::pin_project! {
    /// What the attempt has come to: no two of these are there at the same time.
    #[project = StageProjection]
    enum Stage<'d> {
        /// It has not begun.
        New,
        /// It may not start.
        Refused { reason: Reason },
        /// It waits for room. Only where a limit of the downstream makes it wait, and so allocated
        /// only then.
        Waits { room: Option<Wait<'d>> },
        /// It runs, and has not yet had to wait: a body that is ready at once costs no timer.
        Runs,
        /// It runs until then. The polls of the timer are free of tokio's cooperative budget, so that
        /// a body that uses it all up is cut too.
        Timed { #[pin] timer: Unconstrained<Sleep> },
        /// It runs, and nothing limits it.
        Unlimited,
    }
}

impl Stage<'_> {
    fn of(start: Start) -> Self {
        match start {
            Start::Now => Self::Runs,
            Start::Wait => Self::Waits { room: None },
            Start::Refused(reason) => Self::Refused { reason },
        }
    }
}

impl<'r, 'd, B> Attempt<'r, 'd, B> {
    #[inline]
    pub(super) fn new(state: &'r mut State<'d>, body: B) -> Self {
        Self { state, stage: Stage::New, body }
    }

    pub(super) fn started(start: Start, state: &'r mut State<'d>, body: B) -> Self {
        Self { state, stage: Stage::of(start), body }
    }
}

impl<B: Future> Future for Attempt<'_, '_, B> {
    type Output = Ended<B::Output>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        if let StageProjection::New = this.stage.as_mut().project() {
            if let Some(polled) = this.state.poll_first(|| this.body.as_mut().poll(cx)) {
                return match polled {
                    Poll::Ready(result) => Poll::Ready(Ended::Done(result)),
                    Poll::Pending => {
                        poll_timer(this.state.going(), this.stage, cx).map(|()| Ended::TimedOut)
                    }
                };
            }
        }
        let progress = this.state.going();
        if let Err(reason) = ready!(poll_start(progress, this.stage.as_mut(), cx)) {
            return Poll::Ready(Ended::NotStarted(reason));
        }
        if let Poll::Ready(result) = poll_body(progress, this.body, cx) {
            return Poll::Ready(Ended::Done(result));
        }
        poll_timer(progress, this.stage, cx).map(|()| Ended::TimedOut)
    }
}

/// Whether the body may run, as soon as that is known.
#[inline]
fn poll_start<'d>(
    progress: &mut Progress<'d>,
    mut stage: Pin<&mut Stage<'d>>,
    cx: &mut Context<'_>,
) -> Poll<Result<(), Reason>> {
    match stage.as_mut().project() {
        StageProjection::New => begin(progress, stage, cx),
        StageProjection::Refused { reason } => Poll::Ready(Err(*reason)),
        StageProjection::Waits { .. } => poll_room(progress, stage, cx),
        _ => Poll::Ready(Ok(())),
    }
}

#[inline(never)]
fn begin<'d>(
    progress: &mut Progress<'d>,
    mut stage: Pin<&mut Stage<'d>>,
    cx: &mut Context<'_>,
) -> Poll<Result<(), Reason>> {
    stage.set(Stage::of(progress.start_attempt(&Live)));
    poll_start(progress, stage, cx)
}

#[inline(never)]
fn poll_room<'d>(
    progress: &mut Progress<'d>,
    mut stage: Pin<&mut Stage<'d>>,
    cx: &mut Context<'_>,
) -> Poll<Result<(), Reason>> {
    if let StageProjection::Waits { room } = stage.as_mut().project() {
        let room = room.get_or_insert_with(|| Box::pin(progress.room()));
        let room = ready!(room.as_mut().poll(cx));
        stage.set(Stage::of(progress.start_in(room, &Live)));
    }
    poll_start(progress, stage, cx)
}

/// The body has to wait: whether its time is over.
#[inline(never)]
fn poll_timer(
    progress: &mut Progress<'_>,
    mut stage: Pin<&mut Stage<'_>>,
    cx: &mut Context<'_>,
) -> Poll<()> {
    if let StageProjection::New | StageProjection::Runs = stage.as_mut().project() {
        progress.note_wait();
        stage.set(match progress.attempt_end() {
            Some(end) => Stage::Timed { timer: unconstrained(sleep_until(end)) },
            None => Stage::Unlimited,
        });
    }
    match stage.project() {
        StageProjection::Timed { timer } => timer.poll(cx),
        _ => Poll::Pending,
    }
}

/// Runs the body in its scope.
#[inline]
fn poll_body<B: Future>(
    progress: &mut Progress<'_>,
    body: Pin<&mut B>,
    cx: &mut Context<'_>,
) -> Poll<B::Output> {
    let running = Running(progress);
    let polled = running.0.within(|| body.poll(cx));
    mem::forget(running);
    polled
}

/// Is dropped only if the body panics.
struct Running<'p, 'd>(&'p mut Progress<'d>);

impl Drop for Running<'_, '_> {
    fn drop(&mut self) {
        self.0.panicked();
    }
}

impl<B> fmt::Debug for Attempt<'_, '_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attempt").field("state", &self.state).finish_non_exhaustive()
    }
}
