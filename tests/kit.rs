//! What the cases share: a policy, an error that is always transient, and a scripted downstream.

pub use retry_runtime::retry;
pub mod bank;

use retry_runtime::{Class, Classify, FromStopped, Policy, Stopped};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::Duration;
use tokio::time::Instant;

/// Three attempts, short waits.
pub const P: Policy = Policy::exponential(Duration::from_millis(1), Duration::from_millis(10))
    .max_attempts(3)
    .deadline(Duration::from_secs(60));

/// An error that is always transient.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("status {0}")]
pub struct E(pub u16);

impl Classify for E {
    fn classify(&self) -> Class {
        Class::TRANSIENT
    }
}

impl FromStopped for E {
    fn from_stopped(_: Stopped) -> Self {
        Self(504)
    }
}

thread_local! {
    static SCRIPT: RefCell<Script> = const { RefCell::new(Script::new()) };
}

struct Script {
    answers: VecDeque<Result<u32, E>>,
    calls: Vec<(u32, Option<Instant>)>,
}

impl Script {
    const fn new() -> Self {
        Self { answers: VecDeque::new(), calls: Vec::new() }
    }
}

/// Sets the answers of the next calls of [`down`] on this thread, and forgets the calls so far.
///
/// When the answers are used up every further call fails.
pub fn script(answers: impl IntoIterator<Item = Result<u32, E>>) {
    SCRIPT.with_borrow_mut(|script| {
        script.answers = answers.into_iter().collect();
        script.calls.clear();
    });
}

/// The numbers that [`down`] was called with since the last [`script`].
pub fn calls() -> Vec<u32> {
    SCRIPT.with_borrow(|script| script.calls.iter().map(|(n, _)| *n).collect())
}

/// A scripted downstream: records each `n`, answers from the script.
pub async fn down(n: u32) -> Result<u32, E> {
    SCRIPT.with_borrow_mut(|script| {
        let now = tokio::runtime::Handle::try_current().is_ok().then(Instant::now);
        script.calls.push((n, now));
        script.answers.pop_front().unwrap_or(Err(E(503)))
    })
}

/// Compiles for futures that can move between threads.
pub fn assert_send<T: Send>(_: T) {}

/// Runs futures side by side in one task, and gives their outputs in order.
pub async fn together<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures.into_iter().map(|future| Some(Box::pin(future))).collect();
    let mut outputs: Vec<_> = running.iter().map(|_| None).collect();
    poll_fn(|cx| {
        for (future, output) in running.iter_mut().zip(&mut outputs) {
            if let Some(Poll::Ready(value)) = future.as_mut().map(|f| f.as_mut().poll(cx)) {
                (*future, *output) = (None, Some(value));
            }
        }
        if outputs.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    outputs.into_iter().flatten().collect()
}
