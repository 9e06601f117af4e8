//! A trace of calls that really happen, in virtual time.

use retry_runtime::{Budget, Class, Classify, Downstream, Error, Policy, Trace, record, retry};
use std::cell::Cell;
use std::time::Duration;
use tokio::time::{Instant, sleep};

const POLICY: Policy = Policy::exponential(Duration::from_millis(100), Duration::from_secs(1))
    .max_attempts(3)
    .deadline(Duration::from_secs(10));

#[derive(Debug)]
struct Failure;

impl Classify for Failure {
    fn classify(&self) -> Class {
        Class::TRANSIENT
    }
}

/// Down for 300 ms from now on, and in 8 ms after that.
struct Leaf {
    began: Instant,
    sends: Cell<usize>,
    downstream: Downstream,
}

/// The layer that owns the retries.
#[retry(policy = POLICY, idempotent, downstream = leaf.downstream)]
async fn front(leaf: &Leaf) -> Result<(), Error<Error<Failure>>> {
    back(leaf).await
}

#[retry(policy = POLICY, idempotent)]
async fn back(leaf: &Leaf) -> Result<(), Error<Failure>> {
    leaf.sends.set(leaf.sends.get() + 1);
    if leaf.began.elapsed() < Duration::from_millis(300) {
        sleep(Duration::from_millis(5)).await;
        return Err(Failure);
    }
    sleep(Duration::from_millis(8)).await;
    Ok(())
}

/// Forty requests that fail together through two layers, and how often the leaf was called.
pub(crate) fn group() -> (Trace, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let downstream = Downstream::new("back").budget(Budget::ratio(0.2));
        let leaf = Leaf { began: Instant::now(), sends: Cell::new(0), downstream };
        let leaf: &'static Leaf = Box::leak(Box::new(leaf));
        let ((), trace) = record(async {
            let calls: Vec<_> = (0..40).map(|_| front(leaf)).collect();
            together(calls).await;
        })
        .await;
        (trace, leaf.sends.get())
    })
}

/// Polls all of them in one task, which is how a recording follows them.
async fn together(calls: Vec<impl Future>) {
    let mut calls: Vec<_> = calls.into_iter().map(Box::pin).map(Some).collect();
    std::future::poll_fn(|cx| {
        for place in &mut calls {
            if place.as_mut().is_some_and(|call| call.as_mut().poll(cx).is_ready()) {
                *place = None;
            }
        }
        if calls.iter().all(Option::is_none) {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}
