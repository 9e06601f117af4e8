//! Watching a long computation, and breaking it off.

use retry_runtime::Downstream;
use retry_runtime::storm::{Report, Storm, StormError};
use std::ops::ControlFlow;

/// Is told how much of a computation is done, from 0 to 1, and may break it off.
pub trait Watch: FnMut(f64) -> ControlFlow<()> {}

impl<W: FnMut(f64) -> ControlFlow<()>> Watch for W {}

/// Watches nothing.
pub fn nobody(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// One part of a computation of several.
#[derive(Debug)]
pub(crate) struct Parts<'w, W> {
    watch: &'w mut W,
    done: u32,
    count: u32,
}

impl<'w, W: Watch> Parts<'w, W> {
    pub(crate) fn new(count: usize, watch: &'w mut W) -> Self {
        Self { watch, done: 0, count: u32::try_from(count).unwrap_or(u32::MAX) }
    }

    /// Simulates the next part.
    pub(crate) fn run(
        &mut self,
        storm: &Storm,
        downstream: impl Fn() -> Downstream,
    ) -> Result<Report, StormError> {
        let (done, count) = (f64::from(self.done), f64::from(self.count));
        let report =
            storm.run_watched(downstream, |reached| (self.watch)((done + reached.share) / count));
        self.done += 1;
        report
    }

    /// The next part is done, whatever it was.
    pub(crate) fn step(&mut self) -> Result<(), StormError> {
        self.done += 1;
        match (self.watch)(f64::from(self.done) / f64::from(self.count)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(StormError::BrokenOff),
        }
    }
}
