//! Threads that do the same for a while, at the same time.

use super::cores::Cores;
use super::operation::Operation;
use std::error::Error;
use std::fmt;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;
use tokio::time::Instant;

/// How often an operation is done between two looks at whether the time is over.
const BATCH: u32 = 500;

/// An operation that did not do what it is measured for, or panicked.
#[derive(Debug)]
pub(super) struct Failed(&'static str);

/// Million operations per second, all threads together.
pub(super) fn race(
    operation: &Operation,
    threads: usize,
    time: Duration,
    cores: &Cores,
) -> Result<f64, Failed> {
    let start = Barrier::new(threads + 1);
    let over = AtomicBool::new(false);
    let run = |thread| {
        cores.pin(thread);
        let warm = operation.repeat(Instant::now(), BATCH);
        start.wait();
        lap(operation, &over).filter(|_| warm)
    };
    let run = &run;
    let rate = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || run(thread))).collect();
        start.wait();
        thread::sleep(time);
        over.store(true, Relaxed);
        running.into_iter().map(|thread| thread.join().ok().flatten()).sum::<Option<f64>>()
    });
    rate.ok_or(Failed(operation.name()))
}

/// Million operations per second of one thread; none when one of them did not work.
fn lap(operation: &Operation, over: &AtomicBool) -> Option<f64> {
    let began = Instant::now();
    let mut batches = 0_u32;
    let mut worked = true;
    while !over.load(Relaxed) {
        worked &= operation.repeat(began, BATCH);
        batches += 1;
    }
    let done = f64::from(batches) * f64::from(BATCH);
    worked.then(|| done / began.elapsed().as_secs_f64() / 1e6)
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the operation `{}` did not do what it is measured for", self.0)
    }
}

impl Error for Failed {}
