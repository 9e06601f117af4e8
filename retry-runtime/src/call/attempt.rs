//! One attempt: the pause before it, and the body, polled within its scope, and cut when its time is
//! over.

use super::progress::{Before, Progress, Start};
use super::state::State;
use crate::downstream::{Permit, Refusal};
use crate::environment::Live;
use crate::error::Reason;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::{fmt, mem};
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
    /// What the attempt has come to.
    #[project = StageProjection]
    enum Stage<'d> {
        /// The attempt or the pause before it runs until then; when the pause is over, it is that of
        /// the attempt once its body has had to wait.
        Timed { #[pin] timer: Sleep },
        /// Two enums, because most attempts end without a timer, and this one is looked at faster.
        Untimed { step: Step<'d> },
    }
}

/// What an attempt without a timer has come to.
enum Step<'d> {
    /// It needs none, or none yet: a body that is ready at once costs no timer.
    Idle,
    /// It may not start.
    Refused(Reason),
    /// It waits for room. Only where a limit of the downstream makes it wait, and so allocated only
    /// then.
    Waits(Option<Wait<'d>>),
    /// It runs, and nothing limits it.
    Unlimited,
}

impl Stage<'_> {
    /// A constant would be copied with all that is nothing in it.
    #[inline]
    fn idle() -> Self {
        Self::Untimed { step: Step::Idle }
    }

    fn of(start: Start) -> Self {
        match start {
            Start::Now => Self::idle(),
            Start::Wait => Self::Untimed { step: Step::Waits(None) },
            Start::Refused(reason) => Self::Untimed { step: Step::Refused(reason) },
        }
    }
}

impl<'r, 'd, B> Attempt<'r, 'd, B> {
    #[inline]
    pub(super) fn new(state: &'r mut State<'d>, body: B) -> Self {
        Self { state, stage: Stage::idle(), body }
    }

    pub(super) fn started(start: Start, state: &'r mut State<'d>, body: B) -> Self {
        Self { state, stage: Stage::of(start), body }
    }
}

impl<B: Future> Future for Attempt<'_, '_, B> {
    type Output = Ended<B::Output>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.as_mut().project();
        match this.state.poll_fresh(|| this.body.as_mut().poll(cx)) {
            Some(Poll::Ready(result)) => Poll::Ready(Ended::Done(result)),
            Some(Poll::Pending) => poll_end(this.state, this.stage, cx).map(|()| Ended::TimedOut),
            None => self.poll_going(cx),
        }
    }
}

impl<B: Future> Attempt<'_, '_, B> {
    #[inline(never)]
    fn poll_going(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended<B::Output>> {
        let mut this = self.project();
        let progress = this.state.going();
        if !progress.is_running() {
            if let Err(reason) = ready!(poll_start(progress, this.stage.as_mut(), cx)) {
                return Poll::Ready(Ended::NotStarted(reason));
            }
        }
        match poll_body(progress, this.body, cx) {
            Poll::Ready(result) => Poll::Ready(Ended::Done(result)),
            Poll::Pending => poll_end(this.state, this.stage, cx).map(|()| Ended::TimedOut),
        }
    }
}

/// Whether the body may run, as soon as that is known.
#[inline(never)]
fn poll_start<'d>(
    progress: &mut Progress<'d>,
    mut stage: Pin<&mut Stage<'d>>,
    cx: &mut Context<'_>,
) -> Poll<Result<(), Reason>> {
    match stage.as_mut().project() {
        StageProjection::Timed { timer } => ready!(poll_timer(timer, cx)),
        StageProjection::Untimed { step: Step::Refused(reason) } => {
            return Poll::Ready(Err(*reason));
        }
        StageProjection::Untimed { step: Step::Waits(room) } => {
            let started = ready!(poll_room(progress, room, cx));
            stage.set(Stage::idle());
            return Poll::Ready(started);
        }
        StageProjection::Untimed { .. } => ready!(poll_pause(progress, stage.as_mut(), cx)),
    }
    match progress.start_attempt(&Live) {
        Start::Now => Poll::Ready(Ok(())),
        Start::Wait => {
            stage.set(Stage::of(Start::Wait));
            poll_start(progress, stage, cx)
        }
        Start::Refused(reason) => Poll::Ready(Err(reason)),
    }
}

/// Whether the pause is over, if there is one. A pause of zero yields once and never reaches the
/// timer, whose shortest wait is the rest of a millisecond.
#[inline]
fn poll_pause(
    progress: &mut Progress<'_>,
    mut stage: Pin<&mut Stage<'_>>,
    cx: &mut Context<'_>,
) -> Poll<()> {
    match progress.before_attempt() {
        Before::Nothing => Poll::Ready(()),
        Before::Yield => {
            cx.waker().wake_by_ref();
            Poll::Pending
        }
        Before::Pause(until) => {
            stage.set(Stage::Timed { timer: sleep_until(until) });
            match stage.project() {
                StageProjection::Timed { timer } => timer.poll(cx),
                StageProjection::Untimed { .. } => Poll::Pending,
            }
        }
    }
}

/// Waits for room, and whether the body may run in it.
#[inline(never)]
fn poll_room<'d>(
    progress: &mut Progress<'d>,
    room: &mut Option<Wait<'d>>,
    cx: &mut Context<'_>,
) -> Poll<Result<(), Reason>> {
    let room = room.get_or_insert_with(|| Box::pin(progress.room()));
    let room = ready!(room.as_mut().poll(cx));
    Poll::Ready(match progress.start_in(room, &Live) {
        Start::Refused(reason) => Err(reason),
        _ => Ok(()),
    })
}

/// The body has to wait: whether its time is over.
#[inline(never)]
fn poll_end<'d>(
    call: &mut State<'d>,
    mut stage: Pin<&mut Stage<'d>>,
    cx: &mut Context<'_>,
) -> Poll<()> {
    match stage.as_mut().project() {
        StageProjection::Timed { timer } if !timer.is_elapsed() => return timer.poll(cx),
        StageProjection::Untimed { step: Step::Unlimited } => return Poll::Pending,
        _ => {}
    }
    let Some(end) = call.wait() else {
        stage.set(Stage::Untimed { step: Step::Unlimited });
        return Poll::Pending;
    };
    match stage.as_mut().project() {
        StageProjection::Timed { timer } if timer.deadline() == end => return Poll::Ready(()),
        // That of the pause serves the attempt, too.
        StageProjection::Timed { .. } => {}
        StageProjection::Untimed { .. } => stage.set(Stage::Timed { timer: sleep_until(end) }),
    }
    if let StageProjection::Timed { mut timer } = stage.project() {
        // A timer is not polled while tokio's cooperative budget is used up. It runs all the same, so
        // that a body that uses it up is cut too.
        timer.as_mut().reset(end);
        return timer.poll(cx);
    }
    Poll::Pending
}

/// Whether its time is over. That it is can be seen without the way of a future, which is longer.
#[inline]
fn poll_timer(timer: Pin<&mut Sleep>, cx: &mut Context<'_>) -> Poll<()> {
    if timer.is_elapsed() { Poll::Ready(()) } else { timer.poll(cx) }
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
